package gantry.broker.legacy;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.base.Endpoint;
import gantry.broker.session.Reply;
import gantry.wire.frame.Codec;
import gantry.wire.frame.Command;
import gantry.wire.frame.RequestCodes;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A hand-over is done when the slaves have all, and not before; else everything is taken again.
class HandOverTest {
    private static final byte[] LOG = MasterKit.log(100);
    private static final List<Integer> TABLES = List.of(
            RequestCodes.GET_ALL_TOPIC_CONFIG,
            RequestCodes.GET_ALL_SUBSCRIPTIONGROUP_CONFIG,
            RequestCodes.GET_ALL_CONSUMER_OFFSET,
            RequestCodes.GET_ALL_DELAY_OFFSET);

    @TempDir
    Path folder;

    private @Nullable SlaveKit opened;

    @AfterEach
    void close() {
        if (opened != null) {
            opened.close();
        }
    }

    private SlaveKit open() throws Exception {
        SlaveKit kit = new SlaveKit(folder);
        opened = kit;
        return kit;
    }

    /// Somebody who has asked for it.
    private static final class Asker {
        private final SlaveKit.Slave link;

        Asker(SlaveKit kit) {
            this.link = kit.connect("10.9.9.9");
            kit.slaves.handOver().ask(reply());
        }

        Reply reply() {
            return new Reply(link, Codec.JSON, 1, false);
        }

        @Nullable
        Command answer() {
            byte[] all = link.heard.toByteArray();
            return all.length == 0 ? null : Command.decode(ByteBuffer.wrap(all), 0, all.length);
        }

        int code() {
            Command answer = answer();
            return answer == null ? -1 : answer.code();
        }

        String remark() {
            Command answer = answer();
            return answer == null ? "" : String.valueOf(answer.remark());
        }
    }

    private SlaveKit kit() throws Exception {
        return open().hold(LOG, LOG.length);
    }

    /// As a slave does that asks for topics at another port than for the rest.
    private static void tables(SlaveKit kit, String host, int ports) {
        for (int code : TABLES) {
            kit.slaves.gaveTable(new Endpoint(host, ports + (code == TABLES.getFirst() ? 1 : 2)), code, kit.nanos);
        }
    }

    /// Reports as a slave does, while time passes.
    private static void live(SlaveKit kit, SlaveKit.Slave slave, int seconds) {
        for (int i = 0; i < seconds; i++) {
            kit.pass(1000);
            slave.report(kit.store.confirmOffset());
        }
    }

    @Test
    void isDoneWhenEachSlaveHasAllAndAskedForEachTableSinceTheEnd() throws Exception {
        SlaveKit kit = kit();
        SlaveKit.Slave slave = kit.connect(SlaveKit.HOST).report(LOG.length);
        kit.pass(200);
        Asker asker = new Asker(kit);
        kit.pass(100);
        assertThat(kit.slaves.handOver().refuses()).isPresent();
        assertThat(kit.slaves.handOver().refusesCommits())
                .as("the last commits come")
                .isEmpty();
        tables(kit, SlaveKit.HOST, 100);
        live(kit, slave, 8);
        assertThat(kit.settled).isEqualTo(1);
        assertThat(kit.slaves.handOver().refusesCommits()).isPresent();
        assertThat(asker.code()).as("what was asked before does not count").isEqualTo(-1);
        tables(kit, SlaveKit.HOST, 100);
        kit.pass(200);
        assertThat(asker.code()).isZero();
        assertThat(asker.remark()).contains(String.valueOf(LOG.length));
        assertThat(kit.status().refusesSends()).contains("handed over");
        assertThat(new Asker(kit).code()).as("asked again").isZero();
    }

    @Test
    void oneTableThatNobodyAskedForIsWaitedFor() throws Exception {
        SlaveKit kit = kit();
        SlaveKit.Slave slave = kit.connect(SlaveKit.HOST).report(LOG.length);
        kit.pass(200);
        Asker asker = new Asker(kit);
        live(kit, slave, 8);
        for (int code : TABLES.subList(1, 4)) {
            kit.slaves.gaveTable(new Endpoint(SlaveKit.HOST, 5), code, kit.nanos);
        }
        live(kit, slave, 5);
        assertThat(asker.code()).isEqualTo(-1);
    }

    @Test
    void twoSlavesAtOneAddressBothHaveToAsk() throws Exception {
        SlaveKit kit = kit();
        SlaveKit.Slave one = kit.connect(SlaveKit.HOST).report(LOG.length);
        SlaveKit.Slave two = kit.connect(SlaveKit.HOST).report(LOG.length);
        kit.pass(200);
        Asker asker = new Asker(kit);
        for (int i = 0; i < 8; i++) {
            live(kit, one, 1);
            two.report(LOG.length);
        }
        tables(kit, SlaveKit.HOST, 100);
        kit.pass(200);
        tables(kit, SlaveKit.HOST, 100);
        kit.pass(200);
        assertThat(asker.code()).as("the same one asked twice").isEqualTo(-1);
        tables(kit, SlaveKit.HOST, 200);
        kit.pass(200);
        assertThat(asker.code()).isZero();
    }

    @Test
    void slaveThatLacksBytesIsWaitedForAndThenEverythingIsTakenAgain() throws Exception {
        byte[] large = SlaveKit.files(1500, 2000);
        SlaveKit kit = open().hold(large, large.length);
        SlaveKit.Slave slave = kit.connect(SlaveKit.HOST).report(large.length);
        SlaveKit.Slave behind = kit.connect("10.0.0.4").report(0);
        kit.pass(200);
        Asker asker = new Asker(kit);
        for (int i = 0; i < 59; i++) {
            live(kit, slave, 1);
            // It gets on, and never to the end.
            behind.report(behind.frameEnds().get(i / 3));
            tables(kit, SlaveKit.HOST, 100);
            tables(kit, "10.0.0.4", 100);
        }
        assertThat(asker.code()).isEqualTo(-1);
        live(kit, slave, 2);
        assertThat(asker.code()).isEqualTo(1);
        assertThat(asker.remark()).contains("within 60 s").contains("10.0.0.4").contains("bytes");
        assertThat(kit.slaves.handOver().refuses()).isEmpty();
        assertThat(kit.slaves.handOver().refusesCommits()).isEmpty();
        assertThat(kit.status().refusesSends()).isNull();
    }

    @Test
    void withoutASlaveNothingIsClosed() throws Exception {
        SlaveKit kit = kit();
        Asker asker = new Asker(kit);
        kit.pass(100);
        assertThat(asker.code()).isEqualTo(1);
        assertThat(asker.remark()).contains("no RocketMQ slave");
        assertThat(kit.slaves.handOver().refuses()).isEmpty();
    }

    @Test
    void handOverCanBeTakenBack() throws Exception {
        SlaveKit kit = kit();
        SlaveKit.Slave slave = kit.connect(SlaveKit.HOST).report(LOG.length);
        kit.pass(200);
        Asker asker = new Asker(kit);
        live(kit, slave, 8);
        tables(kit, SlaveKit.HOST, 100);
        kit.pass(200);
        assertThat(asker.code()).isZero();
        kit.slaves.handOver().undo(asker.reply());
        assertThat(kit.slaves.handOver().refuses()).isEmpty();
        assertThat(kit.status().refusesSends()).isNull();
    }
}
