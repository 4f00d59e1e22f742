package gantry.broker;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.store.Disk;
import gantry.store.StoreConfig;
import gantry.store.disk.FileDisk;
import gantry.wire.frame.Command;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.RequestCodes;
import gantry.wire.frame.ResponseCodes;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A topic that keeps messages for less long than the log does shows only young ones, also after a restart or a crash,
/// and topics beside it are not touched.
class TopicRetentionTest {
    private static final StoreConfig STORE =
            StoreConfig.DEFAULT.withSegmentBytes(1 << 20).withQueueFileBytes(400);

    @TempDir
    Path folder;

    private final BrokerKit.HandClock clock = new BrokerKit.HandClock();
    private final List<Disk.Lock> locks = new ArrayList<>();
    private FileDisk disk;
    private BrokerKit kit;
    private BrokerKit.Client client;

    @BeforeEach
    void open() throws Exception {
        disk = new FileDisk(folder);
        kit = new BrokerKit(PromptDisk.of(disk, locks), clock, STORE);
        client = kit.connect();
    }

    @AfterEach
    void stop() {
        kit.stop();
        disk.close();
    }

    private void restart(boolean cleanly) throws Exception {
        if (cleanly) {
            kit.stop();
        } else {
            locks.forEach(Disk.Lock::close);
        }
        locks.clear();
        disk.close();
        open();
    }

    private Command update(String topic, String attributes) {
        return client.ask(Command.request(RequestCodes.UPDATE_AND_CREATE_TOPIC)
                .with(FieldNames.TOPIC, topic)
                .with(FieldNames.READ_QUEUE_NUMS, 1)
                .with(FieldNames.WRITE_QUEUE_NUMS, 1)
                .with(FieldNames.PERM, 6)
                .with(FieldNames.ATTRIBUTES, attributes));
    }

    private void send(String topic, int count) {
        for (int i = 0; i < count; i++) {
            Command sent = client.ask(BrokerKit.send(topic, "a message".getBytes(StandardCharsets.UTF_8)));
            assertThat(sent.code()).isEqualTo(ResponseCodes.SUCCESS);
        }
    }

    private String minOffset(String topic) {
        return String.valueOf(client.ask(Command.request(RequestCodes.GET_MIN_OFFSET)
                        .with(FieldNames.TOPIC, topic)
                        .with(FieldNames.QUEUE_ID, 0))
                .field(FieldNames.OFFSET));
    }

    /// Hours go by, without a tick each 100 ms.
    private void hours(int count) {
        clock.advance(Duration.ofHours(count));
        kit.pass(Duration.ofSeconds(11));
        kit.pass(Duration.ofSeconds(11));
    }

    @Test
    void messagesAreHiddenWhenTheyAreOlderThanTheirTopicKeepsThem() throws Exception {
        assertThat(update("short", "+reserve.time=2").code()).isEqualTo(ResponseCodes.SUCCESS);
        send("short", 30);
        send("long", 1);
        hours(1);
        send("short", 5);
        assertThat(minOffset("short")).isEqualTo("0");

        hours(1);
        assertThat(minOffset("short")).isEqualTo("30");
        assertThat(minOffset("long")).isEqualTo("0");
        Command pulled = client.ask(pull("short", 3));
        assertThat(pulled.code()).isEqualTo(ResponseCodes.PULL_OFFSET_MOVED);
        assertThat(pulled.field(FieldNames.NEXT_BEGIN_OFFSET)).isEqualTo("30");
        for (boolean cleanly : new boolean[] {false, true}) {
            restart(cleanly);
            assertThat(minOffset("short")).as("before any tick").isEqualTo("30");
            assertThat(kit.notices)
                    .as("the start does not look for what is hidden")
                    .noneMatch(notice -> notice.contains("rebuilt") || notice.contains("compared"));
        }

        hours(2);
        assertThat(minOffset("short")).as("all of them").isEqualTo("35");
        send("short", 1);
        assertThat(client.ask(pull("short", 35)).field(FieldNames.NEXT_BEGIN_OFFSET))
                .isEqualTo("36");
    }

    private static Command pull(String topic, long from) {
        return BrokerKit.pull("G", topic, 0, from);
    }

    @Test
    void attributesAreChangedOneByOneAndOnlyKnownOnesTaken() throws Exception {
        update("t", "+reserve.time=2,+message.type=NORMAL");
        assertThat(update("t", "+reserve.time=soon").remark()).contains("reserve.time=soon", "hours");
        assertThat(update("t", "+queue.type=BatchCQ").remark()).contains("only SimpleCQ");
        assertThat(update("t", "+cleanup.policy=COMPACTION").remark()).contains("only DELETE");
        assertThat(update("t", "+no.such=1").remark()).contains("not known here");
        update("t", "-message.type");
        restart(true);
        Command all = client.ask(Command.request(RequestCodes.GET_ALL_TOPIC_CONFIG));
        assertThat(new String(all.body(), StandardCharsets.UTF_8)).contains("{\"reserve.time\":\"2\"}");
    }
}
