package gantry.broker.legacy;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.replica.frame.Cause;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What RocketMQ's slaves are given of a log, and what of theirs is believed.
class LegacySlavesTest {
    private static final byte[] LOG = MasterKit.log(300);

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

    /// Where the n-th message begins.
    private static int place(int message) {
        int at = 0;
        for (int i = 0; i < message; i++) {
            at += ByteBuffer.wrap(LOG).getInt(at);
        }
        return at;
    }

    @Test
    void emptySlaveIsGivenTheWholeConfirmedLogAndNoByteMore() throws Exception {
        int confirmed = place(200);
        SlaveKit kit = open().hold(LOG, confirmed);
        SlaveKit.Slave slave = kit.connect(SlaveKit.HOST).report(0);
        assertThat(slave.begin()).isZero();
        assertThat(slave.log()).isEqualTo(Arrays.copyOf(LOG, confirmed));
        kit.pass(200);
        assertThat(kit.state()).isEqualTo("CATCHING_UP, " + confirmed + " bytes behind");
        slave.report(confirmed);
        kit.pass(200);
        assertThat(kit.state()).isEqualTo("IN_SYNC");

        kit.hold(LOG, LOG.length).pass(100);
        assertThat(slave.log()).isEqualTo(LOG);
    }

    @Test
    void slaveGoesOnWhereItsLogEnds() throws Exception {
        SlaveKit kit = open().hold(LOG, LOG.length);
        SlaveKit.Slave slave = kit.connect(SlaveKit.HOST).report(place(7));
        assertThat(slave.begin()).isEqualTo(place(7));
        assertThat(slave.log()).isEqualTo(Arrays.copyOfRange(LOG, place(7), LOG.length));
    }

    @Test
    void slaveWhoseLogEndsWithOursIsInSyncAndHearsABeat() throws Exception {
        SlaveKit kit = open().hold(LOG, LOG.length);
        SlaveKit.Slave slave = kit.connect(SlaveKit.HOST).report(LOG.length);
        kit.pass(4000);
        assertThat(kit.state()).isEqualTo("IN_SYNC");
        ByteBuffer beat = ByteBuffer.wrap(slave.heard.toByteArray());
        assertThat(beat.remaining()).isEqualTo(12);
        assertThat(beat.getLong()).isEqualTo(LOG.length);
        assertThat(beat.getInt()).isZero();
    }

    @Test
    void logThatEndsInTheMiddleOfAMessageIsRefused() throws Exception {
        SlaveKit kit = open().hold(LOG, LOG.length);
        SlaveKit.Slave slave = kit.connect(SlaveKit.HOST).report(place(7) + 1);
        kit.pass(200);
        assertThat(slave.closed).contains("FALSE_REPORT").contains("Next: ");
        assertThat(slave.heard.size()).isZero();
        assertThat(kit.state()).startsWith("REFUSED").contains("no message begins");
    }

    @Test
    void slaveThatIsAheadIsRefusedAndKeepsItsLog() throws Exception {
        SlaveKit kit = open().hold(LOG, place(100));
        SlaveKit.Slave slave = kit.connect(SlaveKit.HOST).report(place(101));
        kit.pass(200);
        assertThat(slave.closed).contains("SLAVE_AHEAD");
        assertThat(slave.heard.size()).isZero();
        assertThat(kit.notices).singleElement().asString().contains("SLAVE_AHEAD");
    }

    @Test
    void strangerIsClosedToldNothingAndCounted() throws Exception {
        SlaveKit kit = open().hold(LOG, LOG.length);
        for (int i = 0; i < 50; i++) {
            SlaveKit.Slave stranger = kit.connect("10.6.6.6").report(0);
            assertThat(stranger.closed).isNotNull();
            assertThat(stranger.heard.size()).isZero();
        }
        kit.pass(200);
        assertThat(kit.status().refused()).containsEntry(Cause.LEGACY, 50L);
        assertThat(kit.notices).hasSize(1);
        assertThat(kit.state()).isEqualTo("NEVER_SEEN");
    }

    @Test
    void addressHasFourConnectionsAndNoMore() throws Exception {
        SlaveKit kit = open().hold(LOG, LOG.length);
        List<SlaveKit.Slave> all = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            all.add(kit.connect(SlaveKit.HOST).report(LOG.length));
        }
        assertThat(all.stream().filter(slave -> slave.closed == null)).hasSize(LegacySlaves.MOST_OF_ONE);
        kit.pass(200);
        assertThat(kit.shown().stream().filter(each -> each.address().startsWith(SlaveKit.HOST)))
                .extracting(each -> each.memberId())
                .containsExactly(-1L, -2L, -3L, -4L);
    }

    @Test
    void whoSaysNothingIsClosedAfterTenSeconds() throws Exception {
        SlaveKit kit = open().hold(LOG, LOG.length);
        SlaveKit.Slave slave = kit.connect(SlaveKit.HOST).say(new byte[7]);
        kit.pass(9800);
        assertThat(slave.closed).isNull();
        kit.pass(400);
        assertThat(slave.closed).contains("STRANGER");
    }

    @Test
    void slaveThatFallsSilentIsNamedWithinTenSeconds() throws Exception {
        SlaveKit kit = open().hold(LOG, LOG.length);
        SlaveKit.Slave slave = kit.connect(SlaveKit.HOST).report(LOG.length);
        kit.pass(9800);
        assertThat(kit.state()).isEqualTo("IN_SYNC");
        kit.pass(400);
        assertThat(kit.state()).isEqualTo("SILENT");
        assertThat(slave.closed).contains("SLAVE_SILENT");
    }

    @Test
    void slaveThatReportsAndTakesNothingIsNamedWithinTenSeconds() throws Exception {
        SlaveKit kit = open().hold(LOG, LOG.length);
        SlaveKit.Slave slave = kit.connect(SlaveKit.HOST).report(place(3));
        for (int second = 0; second < 11; second++) {
            kit.pass(1000);
            slave.report(place(3));
        }
        kit.pass(200);
        assertThat(slave.closed).contains("SLAVE_STUCK");
        assertThat(kit.state()).startsWith("REFUSED").contains("SLAVE_STUCK");
    }

    @Test
    void slaveIsSentNoMoreThanAWindowBeforeItReports() throws Exception {
        byte[] large = SlaveKit.files(1500, 2000);
        SlaveKit kit = open().hold(large, large.length);
        SlaveKit.Slave slave = kit.connect(SlaveKit.HOST).report(0);
        kit.pass(1000);
        int sent = slave.log().length;
        assertThat(sent).isBetween(SlaveFeed.WINDOW_BYTES, SlaveFeed.WINDOW_BYTES + SlaveFeed.PIECE_BYTES);
        for (int held = 0; held < large.length; held = slave.log().length) {
            slave.report(slave.log().length);
        }
        assertThat(slave.log()).isEqualTo(large);
    }

    @Test
    void connectionThatEndsIsShownAndTheNextOneIsServed() throws Exception {
        SlaveKit kit = open().hold(LOG, LOG.length);
        kit.connect(SlaveKit.HOST).report(LOG.length).hangUp();
        kit.pass(200);
        assertThat(kit.state()).isEqualTo("SILENT");
        SlaveKit.Slave next = kit.connect(SlaveKit.HOST).report(place(299));
        kit.pass(200);
        assertThat(next.log()).isEqualTo(Arrays.copyOfRange(LOG, place(299), LOG.length));
        next.report(LOG.length);
        kit.pass(200);
        assertThat(kit.state()).isEqualTo("IN_SYNC");
    }

    @Test
    void floodOfReportsIsClosedWithoutAStateLeft() throws Exception {
        SlaveKit kit = open().hold(LOG, LOG.length);
        byte[] flood = new byte[SlaveFeed.MOST_WAITING_BYTES + 8];
        Arrays.fill(flood, (byte) 0x7F);
        SlaveKit.Slave slave = kit.connect(SlaveKit.HOST).say(flood);
        assertThat(slave.closed).isNotNull();
        assertThat(slave.heard.size()).isZero();
    }

    @Test
    void damagedMessageIsNotPassedOn() throws Exception {
        SlaveKit kit = open().hold(LOG, LOG.length);
        Path file = folder.resolve("commitlog").resolve("00000000000000000000");
        try (var channel = java.nio.channels.FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(new byte[] {'X'}), place(50) + 90);
        }
        assertThat(Files.size(file)).isEqualTo(MasterKit.SEGMENT_BYTES);
        SlaveKit.Slave slave = kit.connect(SlaveKit.HOST).report(place(40));
        kit.pass(200);
        assertThat(slave.log()).isEqualTo(Arrays.copyOfRange(LOG, place(40), place(50)));
        assertThat(slave.closed).contains("OUR_RECORD").contains("log offset " + place(50));
        assertThat(kit.state()).startsWith("REFUSED").contains("OUR_RECORD");
    }

    @Test
    void slaveThatIsRefusedIsShownBesideAnotherOneOfItsAddress() throws Exception {
        SlaveKit kit = open().hold(LOG, LOG.length);
        SlaveKit.Slave well = kit.connect(SlaveKit.HOST).report(LOG.length);
        kit.pass(1000);
        kit.connect(SlaveKit.HOST).report(1);
        kit.pass(1000);
        well.report(LOG.length);
        assertThat(kit.shown().get(0).state().words()).isEqualTo("IN_SYNC");
        assertThat(kit.shown().get(1).state().words()).startsWith("REFUSED");
        kit.connect(SlaveKit.HOST).report(LOG.length);
        kit.pass(1000);
        assertThat(kit.shown().get(1).state().words()).isEqualTo("IN_SYNC");
    }

    @Test
    void stopWaitsUntilASlaveHasTakenWhatIsConfirmed() throws Exception {
        SlaveKit kit = open().hold(LOG, place(200));
        SlaveKit.Slave slave = kit.connect(SlaveKit.HOST).report(place(100));
        List<String> told = new ArrayList<>();
        // Nobody ticks any more.
        kit.hold(LOG, LOG.length);
        kit.slaves.leave();
        kit.slaves.whenTaken(() -> told.add("taken"));
        assertThat(slave.log()).isEqualTo(Arrays.copyOfRange(LOG, place(100), LOG.length));
        slave.report(place(200));
        assertThat(told).isEmpty();
        assertThat(slave.closed).isNull();
        slave.report(LOG.length);
        assertThat(told).containsExactly("taken");
        kit.slaves.stop();
        assertThat(slave.closed).contains("stops");
        assertThat(kit.notices).singleElement().asString().contains("has all messages, up to log offset " + LOG.length);
    }

    @Test
    void stopEndsWithoutASlaveThatTakesNothingAndSaysWhatItLacks() throws Exception {
        SlaveKit kit = open().hold(LOG, LOG.length);
        SlaveKit.Slave slow = kit.connect(SlaveKit.HOST).report(place(100));
        SlaveKit.Slave fresh = kit.connect(SlaveKit.HOST);
        SlaveKit.Slave gone = kit.connect(SlaveKit.HOST).report(place(200));
        List<String> told = new ArrayList<>();
        kit.slaves.leave();
        kit.slaves.whenTaken(() -> told.add("over"));
        gone.hangUp();
        assertThat(told).isEmpty();
        kit.slaves.stop();
        assertThat(told).containsExactly("over");
        assertThat(slow.closed).contains("stops");
        assertThat(fresh.closed).contains("stops");
        assertThat(kit.notices)
                .anyMatch(text -> text.contains("lacks the last " + (LOG.length - place(100)) + " bytes"))
                .anyMatch(text -> text.contains("lacks the last " + (LOG.length - place(200)) + " bytes"))
                .anyMatch(text -> text.contains("had only just connected"));
    }

    @Test
    void stopWaitsForNobodyWhenNobodyIsServed() throws Exception {
        SlaveKit kit = open().hold(LOG, LOG.length);
        List<String> told = new ArrayList<>();
        kit.slaves.leave();
        kit.slaves.whenTaken(() -> told.add("taken"));
        assertThat(told).containsExactly("taken");
    }

    /// What RocketMQ's slaves expect: a log goes on without a gap, or its connection ends; one that is begun in the
    /// middle of its own log would never be readable.
    @Test
    void slaveWhoseNextFileIsDeletedIsClosedWithASentenceAndAnEmptyOneBeginsAtTheOldestFile() throws Exception {
        byte[] large = SlaveKit.files(1500, 2000);
        SlaveKit kit = open().hold(large, large.length);
        SlaveKit.Slave behind = kit.connect(SlaveKit.HOST).report(0);
        int sent = behind.log().length;
        assertThat(sent).as("it has to report before it is sent more").isLessThan(large.length);
        long begin = kit.deleteBelow(sent + 2L * MasterKit.SEGMENT_BYTES);
        assertThat(begin).isGreaterThan(sent);

        behind.report(sent);
        kit.pass(200);
        assertThat(behind.closed).contains("SLAVE_BEHIND", "just deleted", "empty store directory");
        assertThat(behind.log()).as("not a byte behind the gap").hasSize(sent);
        assertThat(kit.state()).startsWith("REFUSED").contains("SLAVE_BEHIND");

        SlaveKit.Slave again = kit.connect(SlaveKit.HOST).report(sent);
        assertThat(again.closed).contains("SLAVE_BEHIND", "ours begins at " + begin);
        assertThat(again.heard.size()).isZero();

        SlaveKit.Slave empty = kit.connect(SlaveKit.HOST).report(0);
        for (long held = begin; held < large.length; held = begin + empty.log().length) {
            empty.report(begin + empty.log().length);
        }
        empty.report(large.length);
        assertThat(empty.begin()).isEqualTo(begin);
        assertThat(empty.log()).isEqualTo(Arrays.copyOfRange(large, (int) begin, large.length));
        kit.pass(200);
        assertThat(kit.state()).isEqualTo("IN_SYNC");
    }

    @Test
    void slaveCountsForNothing() throws Exception {
        SlaveKit kit = open().hold(LOG, LOG.length);
        kit.connect(SlaveKit.HOST).report(LOG.length);
        kit.pass(200);
        assertThat(kit.shown()).allMatch(each -> each.isGuest());
        assertThat(kit.status().refusesSends()).isNull();
    }
}
