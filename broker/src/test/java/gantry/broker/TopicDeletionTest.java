package gantry.broker;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.store.Disk;
import gantry.store.StoreConfig;
import gantry.store.disk.FileDisk;
import gantry.wire.frame.Command;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.RequestCodes;
import gantry.wire.frame.ResponseCodes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What is left of a topic or a group that was deleted (R060, R061): nothing, in files, answers, offsets and
/// registrations, also after a restart or a crash; and one of the same name has nothing of it.
///
/// A queue file here has 20 entries, so a topic that is made again goes on at offset 20.
class TopicDeletionTest {
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
            disk.close();
        } else {
            kill();
        }
        open();
    }

    /// The process is gone; what it wrote is there.
    private void kill() {
        locks.forEach(Disk.Lock::close);
        locks.clear();
        disk.close();
    }

    private Command send(String topic) {
        return client.ask(BrokerKit.send(topic, "a message".getBytes(StandardCharsets.UTF_8)));
    }

    private Command offsets(int code, String group, String topic) {
        return Command.request(code)
                .with(FieldNames.CONSUMER_GROUP, group)
                .with(FieldNames.TOPIC, topic)
                .with(FieldNames.QUEUE_ID, 0);
    }

    private void commit(String group, String topic, long offset) {
        Command done = client.ask(
                offsets(RequestCodes.UPDATE_CONSUMER_OFFSET, group, topic).with(FieldNames.COMMIT_OFFSET, offset));
        assertThat(done.code()).isEqualTo(ResponseCodes.SUCCESS);
    }

    private Command committed(String group, String topic) {
        return client.ask(offsets(RequestCodes.QUERY_CONSUMER_OFFSET, group, topic)
                .with(FieldNames.SET_ZERO_IF_NOT_FOUND, false));
    }

    private Command pull(long from, long suspendMillis) {
        return BrokerKit.pull("G", "orders", 0, from)
                .with(FieldNames.SYS_FLAG, suspendMillis > 0 ? 6 : 4)
                .with(FieldNames.SUSPEND_TIMEOUT_MILLIS, suspendMillis);
    }

    private void delete(String topic) {
        Command done =
                client.ask(Command.request(RequestCodes.DELETE_TOPIC_IN_BROKER).with(FieldNames.TOPIC, topic));
        assertThat(done.code()).isEqualTo(ResponseCodes.SUCCESS);
    }

    private void deleteGroup(String group) {
        Command done = client.ask(
                Command.request(RequestCodes.DELETE_SUBSCRIPTIONGROUP).with(FieldNames.GROUP_NAME, group));
        assertThat(done.code()).isEqualTo(ResponseCodes.SUCCESS);
    }

    private String exported(String file) throws IOException {
        return Files.readString(folder.resolve("config").resolve(file));
    }

    @Test
    void deletedTopicLeavesNothing() throws Exception {
        send("orders");
        send("kept");
        commit("G", "orders", 1);
        commit("G", "kept", 1);
        kit.pass(Duration.ofSeconds(12));
        assertThat(folder.resolve("consumequeue/orders/0")).exists();

        delete("orders");
        kit.pass(Duration.ofSeconds(6));

        assertThat(folder.resolve("consumequeue/orders")).doesNotExist();
        assertThat(kit.node.store().find("orders", 0)).isNull();
        assertThat(committed("G", "orders").code()).isEqualTo(ResponseCodes.QUERY_NOT_FOUND);
        assertThat(committed("G", "kept").field(FieldNames.OFFSET)).isEqualTo("1");
        assertThat(client.ask(pull(0, 0)).code()).isEqualTo(ResponseCodes.TOPIC_NOT_EXIST);
        for (String file : List.of("topics.json", "consumerOffset.json")) {
            assertThat(exported(file)).as(file).contains("kept").doesNotContain("orders");
        }
        for (boolean cleanly : new boolean[] {false, true}) {
            restart(cleanly);
            assertThat(kit.node.store().find("orders", 0)).isNull();
            assertThat(folder.resolve("consumequeue/orders")).doesNotExist();
            assertThat(client.ask(pull(0, 0)).code()).isEqualTo(ResponseCodes.TOPIC_NOT_EXIST);
            assertThat(committed("G", "orders").code()).isEqualTo(ResponseCodes.QUERY_NOT_FOUND);
            assertThat(committed("G", "kept").field(FieldNames.OFFSET)).isEqualTo("1");
        }
    }

    /// R060: lag is never negative, no message is skipped, whatever a consumer remembers of the topic before.
    @Test
    void topicThatIsMadeAgainHasNothingOfTheOneBefore() throws Exception {
        for (int i = 0; i < 5; i++) {
            send("orders");
        }
        commit("G", "orders", 5);
        delete("orders");
        assertThat(send("orders").field(FieldNames.QUEUE_OFFSET)).isEqualTo("20");
        send("orders");

        for (int round = 0; round < 3; round++) {
            assertThat(committed("G", "orders").code())
                    .as("no offset of the old topic applies")
                    .isEqualTo(ResponseCodes.QUERY_NOT_FOUND);
            assertThat(client.ask(offsets(RequestCodes.QUERY_CONSUMER_OFFSET, "G", "orders"))
                            .field(FieldNames.OFFSET))
                    .as("a group begins with the first message")
                    .isEqualTo("20");
            Command stale = client.ask(pull(5, 0));
            assertThat(stale.code()).as("who goes on where it was").isEqualTo(ResponseCodes.PULL_OFFSET_MOVED);
            assertThat(stale.field(FieldNames.NEXT_BEGIN_OFFSET)).isEqualTo("20");
            assertThat(client.ask(pull(20, 0)).field(FieldNames.NEXT_BEGIN_OFFSET))
                    .isEqualTo("22");
            assertThat(client.ask(offsets(RequestCodes.GET_MIN_OFFSET, "G", "orders"))
                            .field(FieldNames.OFFSET))
                    .isEqualTo("20");
            if (round == 0) {
                commit("G", "orders", 5);
            }
            restart(round == 1);
        }
        commit("G", "orders", 21);
        assertThat(committed("G", "orders").field(FieldNames.OFFSET)).isEqualTo("21");
    }

    @Test
    void whoWaitsForAMessageOfADeletedTopicIsToldThatItIsGone() {
        send("orders");
        BrokerKit.Client waiting = kit.connect();
        waiting.say(pull(1, 15_000));
        assertThat(waiting.received).isEmpty();

        delete("orders");

        assertThat(waiting.received.remove().code()).isEqualTo(ResponseCodes.TOPIC_NOT_EXIST);
    }

    @Test
    void delayedMessageOfADeletedTopicIsNotDelivered() {
        send("orders");
        client.ask(BrokerKit.send("orders", 0, "DELAY\u00011\u0002", "later".getBytes(StandardCharsets.UTF_8)));
        delete("orders");
        send("orders");
        kit.pass(Duration.ofSeconds(3));
        assertThat(kit.node.store().queue("orders", 0).maxOffset())
                .as("the new topic has its own message only")
                .isEqualTo(21);
        delete("orders");
        kit.pass(Duration.ofSeconds(3));
        assertThat(kit.node.store().find("orders", 0)).isNull();
    }

    /// R061
    @Test
    void deletedGroupLeavesNoOffsets() throws Exception {
        send("orders");
        commit("G", "orders", 1);
        commit("H", "orders", 1);
        deleteGroup("G");
        kit.pass(Duration.ofSeconds(6));
        assertThat(exported("consumerOffset.json")).contains("orders@H").doesNotContain("orders@G");
        for (boolean cleanly : new boolean[] {false, true}) {
            restart(cleanly);
            assertThat(committed("G", "orders").code()).isEqualTo(ResponseCodes.QUERY_NOT_FOUND);
            assertThat(committed("H", "orders").field(FieldNames.OFFSET)).isEqualTo("1");
        }
    }

    /// R061
    @Test
    void whatAGroupConsumedOfOneTopicCanBeForgotten() throws Exception {
        send("orders");
        send("kept");
        commit("G", "orders", 1);
        commit("G", "kept", 1);
        Command done = client.ask(Command.request(RequestCodes.GANTRY_CLEAN_TOPIC_OF_GROUP)
                .with(FieldNames.CONSUMER_GROUP, "G")
                .with(FieldNames.TOPIC, "orders"));
        assertThat(done.code()).isEqualTo(ResponseCodes.SUCCESS);
        for (boolean cleanly : new boolean[] {false, true}) {
            restart(cleanly);
            assertThat(committed("G", "orders").code()).isEqualTo(ResponseCodes.QUERY_NOT_FOUND);
            assertThat(committed("G", "kept").field(FieldNames.OFFSET)).isEqualTo("1");
        }
    }

    /// A crash after the fact, before its consequences: the next start goes on.
    @Test
    void deletionThatACrashInterruptedIsFinishedByTheNextStart() throws Exception {
        send("orders");
        commit("G", "orders", 1);
        kit.pass(Duration.ofSeconds(12));
        byte[] snapshot = Files.readAllBytes(folder.resolve("config/topics.json"));
        delete("orders");
        kill();
        Files.write(folder.resolve("config/topics.json"), snapshot);
        Files.delete(folder.resolve("droppedtopics"));

        open();
        kit.pass(Duration.ofSeconds(3));

        assertThat(client.ask(pull(0, 0)).code()).isEqualTo(ResponseCodes.TOPIC_NOT_EXIST);
        assertThat(kit.node.store().find("orders", 0)).isNull();
        assertThat(folder.resolve("consumequeue/orders")).doesNotExist();
        assertThat(send("orders").field(FieldNames.QUEUE_OFFSET)).isEqualTo("20");
    }
}
