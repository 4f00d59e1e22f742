package gantry.broker;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.store.Disk;
import gantry.store.Durability;
import gantry.store.StoreConfig;
import gantry.store.disk.FileDisk;
import gantry.wire.body.ConsumeFromWhere;
import gantry.wire.body.ConsumeType;
import gantry.wire.body.ConsumerList;
import gantry.wire.body.ConsumerMembership;
import gantry.wire.body.Heartbeat;
import gantry.wire.body.KeyValueTable;
import gantry.wire.body.LockAnswer;
import gantry.wire.body.LockRequest;
import gantry.wire.body.MessageModel;
import gantry.wire.body.MessageQueueRef;
import gantry.wire.body.Subscription;
import gantry.wire.frame.Codec;
import gantry.wire.frame.Command;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.RequestCodes;
import gantry.wire.frame.ResponseCodes;
import gantry.wire.json.Json;
import gantry.wire.message.Check;
import gantry.wire.message.MessageProperties;
import gantry.wire.message.RecordView;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a client of one broker sees, frame by frame, over a real store in a temporary folder.
class BrokerNodeTest {
    private static final StoreConfig STORE = StoreConfig.DEFAULT
            .withSegmentBytes(1 << 20)
            .withQueueFileBytes(20 * 1000)
            .withDurability(Durability.WRITTEN);

    @TempDir
    Path folder;

    private final BrokerKit.HandClock clock = new BrokerKit.HandClock();
    private BrokerKit kit;
    private BrokerKit.Client client;

    @BeforeEach
    void start() throws Exception {
        open();
    }

    @AfterEach
    void stop() {
        kit.stop();
    }

    private void open() throws Exception {
        kit = new BrokerKit(disk(), clock, STORE);
        client = kit.connect();
    }

    private void restart() throws Exception {
        kit.stop();
        open();
    }

    private Disk disk() throws Exception {
        return new FileDisk(folder);
    }

    @Test
    void aMessageThatWasSentIsPulledAsItWasStored() {
        Command sent = client.ask(send("orders", 2, "hello", Map.of("TAGS", "A", "UNIQ_KEY", "7F0000010001")));
        assertThat(sent.code()).isZero();
        assertThat(sent.field(FieldNames.QUEUE_ID)).isEqualTo("2");
        assertThat(sent.field(FieldNames.QUEUE_OFFSET)).isEqualTo("0");
        assertThat(sent.field(FieldNames.MSG_ID)).hasSize(32);
        assertThat(sent.field(FieldNames.TRANSACTION_ID)).isEqualTo("7F0000010001");

        Command pulled = client.ask(pull("G", "orders", 2, 0));
        assertThat(pulled.code()).isZero();
        assertThat(pulled.field(FieldNames.NEXT_BEGIN_OFFSET)).isEqualTo("1");
        Message message = messages(pulled).get(0);
        assertThat(message.body).isEqualTo("hello");
        assertThat(message.topic).isEqualTo("orders");
        assertThat(message.properties)
                .containsEntry("TAGS", "A")
                .containsEntry("CLUSTER", "DefaultCluster")
                .containsEntry("MSG_REGION", "DefaultRegion");
    }

    @Test
    void aConsumerFarBehindGetsEveryMessageInOrderAndSeldomLeavesTheEventLoop() {
        int messages = 14_000;
        for (int i = 0; i < messages; i++) {
            client.ask(send("orders", 0, Integer.toString(i), Map.of()));
        }
        kit.pass(Duration.ofSeconds(10));

        int before = kit.offloaded;
        List<String> bodies = new ArrayList<>();
        long next = 0;
        while (bodies.size() < 3_000) {
            Command pulled = client.ask(pull("G", "orders", 0, next));
            messages(pulled).forEach(message -> bodies.add(message.body));
            next = Long.parseLong(pulled.fieldOr(FieldNames.NEXT_BEGIN_OFFSET, ""));
        }
        // Of 94 pulls; what the store does beside them counts too.
        assertThat(kit.offloaded - before).as("hand-overs for 3,000 messages").isLessThanOrEqualTo(20);

        while (bodies.size() < messages) {
            Command pulled = client.ask(pull("G", "orders", 0, next));
            messages(pulled).forEach(message -> bodies.add(message.body));
            next = Long.parseLong(pulled.fieldOr(FieldNames.NEXT_BEGIN_OFFSET, ""));
        }
        assertThat(bodies)
                .isEqualTo(
                        IntStream.range(0, messages).mapToObj(Integer::toString).toList());
    }

    /// Whoever sends on what he received sends the checksum of another record; copies for a retry are made by us.
    @Test
    void theChecksumOfAReceivedRecordIsNeverStoredWithAnother() {
        Map<String, String> received = new LinkedHashMap<>();
        received.put("a", "b");
        received.put("__CRC32#", "0123456789");
        received.put("TAGS", "A");
        assertThat(client.ask(send("orders", 0, "sent on", received)).code()).isZero();
        Command pulled = client.ask(pull("G", "orders", 0, 0));
        assertThat(messages(pulled).getFirst().properties)
                .containsEntry("a", "b")
                .containsEntry("TAGS", "A")
                .doesNotContainKey("__CRC32#");
    }

    /// A start after a loss of power takes zeros in properties for what did not get to the disk.
    @Test
    void propertiesWithAZeroByteAreRefusedAlsoInABatch() {
        for (String value : List.of("\0", "a\0b", "long enough for two words\0 and more", "at its end\0")) {
            Command answer = client.ask(send("orders", 0, "body", Map.of("a", value)));
            assertThat(answer.code()).isEqualTo(ResponseCodes.MESSAGE_ILLEGAL);
            assertThat(answer.remark()).contains("zero byte");
            Command inBatch = batchOfOne(("a\u0001" + value).getBytes(StandardCharsets.UTF_8));
            assertThat(client.ask(inBatch).code()).isEqualTo(ResponseCodes.MESSAGE_ILLEGAL);
        }
        assertThat(client.ask(send("orders", 0, "body", Map.of("a", "no such byte")))
                        .code())
                .isZero();
    }

    /// The broker's own properties and the separator before them must fit too.
    @Test
    void aBatchWhoseItemsHaveAlmostTooManyPropertiesIsAnsweredWhateverTheirLength() {
        for (int length = 32_767 - 90; length <= 32_767 - 55; length++) {
            byte[] properties = ("k\u0001" + "v".repeat(length - 2)).getBytes(StandardCharsets.UTF_8);
            assertThat(client.ask(batchOfOne(properties)).code())
                    .as("%d bytes", length)
                    .isIn(0, ResponseCodes.MESSAGE_ILLEGAL);
        }
        assertThat(client.ask(send("orders", 0, "next", Map.of())).code()).isZero();
    }

    private static Command batchOfOne(byte[] properties) {
        byte[] body = ByteBuffer.allocate(23 + properties.length)
                .putInt(23 + properties.length)
                .putLong(0)
                .putInt(0)
                .putInt(1)
                .put((byte) 'x')
                .putShort((short) properties.length)
                .put(properties)
                .array();
        Command batch = send("orders", 0, "", Map.of()).withBody(body).with("m", "true");
        return Command.request(RequestCodes.SEND_BATCH_MESSAGE)
                .withFields(batch.fields())
                .withBody(body);
    }

    private Command byKey(String topic, String key) {
        return Command.request(RequestCodes.QUERY_MESSAGE)
                .with(FieldNames.TOPIC, topic)
                .with(FieldNames.KEY, key)
                .with(FieldNames.MAX_NUM, 64)
                .with(FieldNames.BEGIN_TIMESTAMP, 0)
                .with(FieldNames.END_TIMESTAMP, Long.MAX_VALUE);
    }

    @Test
    void messagesAreFoundByTheirKeysAlsoAfterARestart() throws Exception {
        client.ask(send("orders", 0, "one", Map.of("KEYS", "k1 k2", "UNIQ_KEY", "7F0000010001")));
        client.ask(send("orders", 1, "two", Map.of("KEYS", "k2", "UNIQ_KEY", "7F0000010002")));
        for (int start = 0; start < 2; start++) {
            Command found = client.ask(byKey("orders", "k2"));
            assertThat(found.code()).isZero();
            assertThat(messages(found)).extracting(message -> message.body).containsExactly("two", "one");
            assertThat(Long.parseLong(found.fieldOr(FieldNames.INDEX_LAST_UPDATE_TIMESTAMP, "")))
                    .isPositive();
            assertThat(Long.parseLong(found.fieldOr(FieldNames.INDEX_LAST_UPDATE_PHYOFFSET, "")))
                    .isPositive();
            Command unique = client.ask(byKey("orders", "7F0000010001").with(FieldNames.UNIQUE_KEY_QUERY, true));
            assertThat(messages(unique)).extracting(message -> message.body).containsExactly("one");
            Command notUnique = client.ask(byKey("orders", "k1").with(FieldNames.UNIQUE_KEY_QUERY, true));
            assertThat(notUnique.code()).isEqualTo(ResponseCodes.QUERY_NOT_FOUND);
            assertThat(client.ask(byKey("orders", "k3")).code()).isEqualTo(ResponseCodes.QUERY_NOT_FOUND);
            restart();
        }
    }

    @Test
    void aKeyQueryThatIsNotCompleteIsRefused() {
        Command answer = client.ask(Command.request(RequestCodes.QUERY_MESSAGE).with(FieldNames.TOPIC, "orders"));
        assertThat(answer.code()).isEqualTo(ResponseCodes.SYSTEM_ERROR);
        assertThat(answer.remark()).contains("key");
    }

    @Test
    void theBinaryHeaderIsAnsweredInItsOwnKind() {
        Command sent = client.ask(send("orders", 0, "x", Map.of()).withCodec(Codec.ROCKETMQ));
        assertThat(sent.code()).isZero();
        assertThat(sent.codec()).isEqualTo(Codec.ROCKETMQ);
    }

    @Test
    void aBurstOfSendsIsNumberedWithoutGaps() {
        client.ask(send("orders", 0, "first", Map.of()));
        client.say(
                send("orders", 0, "a", Map.of()), send("orders", 1, "b", Map.of()), send("orders", 0, "c", Map.of()));
        assertThat(client.received)
                .extracting(answer -> answer.field(FieldNames.QUEUE_OFFSET))
                .containsExactly("1", "0", "2");
    }

    @Test
    void aBatchGetsConsecutiveOffsetsAndOneAnswer() {
        ByteBuffer items = ByteBuffer.allocate(1024);
        for (String body : List.of("one", "two", "three")) {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            items.putInt(22 + bytes.length)
                    .putInt(0)
                    .putInt(0)
                    .putInt(0)
                    .putInt(bytes.length)
                    .put(bytes)
                    .putShort((short) 0);
        }
        byte[] body = new byte[items.position()];
        items.flip().get(body);
        client.ask(send("orders", 0, "before", Map.of()));
        Command batch = send("orders", 0, "", Map.of()).withBody(body).with("m", "true");
        Command answer = client.ask(Command.request(RequestCodes.SEND_BATCH_MESSAGE)
                .withFields(batch.fields())
                .withBody(body));
        assertThat(answer.code()).isZero();
        assertThat(answer.field(FieldNames.QUEUE_OFFSET)).isEqualTo("1");
        assertThat(answer.fieldOr(FieldNames.MSG_ID, "").split(",")).hasSize(3);
        assertThat(messages(client.ask(pull("G", "orders", 0, 1))))
                .extracting(m -> m.body)
                .containsExactly("one", "two", "three");
    }

    @Test
    void aPullThatWaitsIsAnsweredWhenAMessageComes() {
        client.ask(send("orders", 0, "old", Map.of()));
        BrokerKit.Client consumer = kit.connect();
        consumer.say(waitingPull("G", "orders", 0, 1, "*"));
        assertThat(consumer.received).isEmpty();
        client.ask(send("orders", 0, "new", Map.of()));
        assertThat(messages(consumer.received.remove())).extracting(m -> m.body).containsExactly("new");
    }

    @Test
    void aPullThatWaitsIsNotDisturbedByMessagesItDoesNotWant() {
        client.ask(send("orders", 0, "old", Map.of("TAGS", "A")));
        BrokerKit.Client consumer = kit.connect();
        consumer.say(waitingPull("G", "orders", 0, 1, "B"));
        client.ask(send("orders", 0, "unwanted", Map.of("TAGS", "A")));
        assertThat(consumer.received).isEmpty();
        client.ask(send("orders", 0, "wanted", Map.of("TAGS", "B")));
        assertThat(messages(consumer.received.remove())).extracting(m -> m.body).containsExactly("wanted");
    }

    @Test
    void aPullThatWaitsInVainIsAnsweredWhenItsTimeIsOver() {
        client.ask(send("orders", 0, "old", Map.of()));
        BrokerKit.Client consumer = kit.connect();
        consumer.say(waitingPull("G", "orders", 0, 1, "*"));
        kit.pass(Duration.ofSeconds(16));
        Command answer = consumer.received.remove();
        assertThat(answer.code()).isEqualTo(ResponseCodes.PULL_NOT_FOUND);
        assertThat(answer.field(FieldNames.NEXT_BEGIN_OFFSET)).isEqualTo("1");
    }

    @Test
    void anOffsetOutsideTheQueueIsAnsweredWithTheNearest() {
        client.ask(send("orders", 0, "x", Map.of()));
        Command answer = client.ask(pull("G", "orders", 0, 99));
        assertThat(answer.code()).isEqualTo(ResponseCodes.PULL_OFFSET_MOVED);
        assertThat(answer.field(FieldNames.NEXT_BEGIN_OFFSET)).isEqualTo("1");
    }

    @Test
    void whatCannotBeSentIsRefusedWithAReason() {
        assertThat(client.ask(send("bad topic", 0, "x", Map.of())).code()).isEqualTo(ResponseCodes.INVALID_PARAMETER);
        assertThat(client.ask(send("SCHEDULE_TOPIC_XXXX", 0, "x", Map.of())).code())
                .isEqualTo(ResponseCodes.NO_PERMISSION);
        assertThat(client.ask(send("orders", 0, "", Map.of())).code()).isEqualTo(ResponseCodes.MESSAGE_ILLEGAL);
        client.ask(send("orders", 0, "x", Map.of()));
        assertThat(client.ask(send("orders", 64, "x", Map.of())).remark()).contains("64");
        Command incomplete =
                client.ask(Command.request(RequestCodes.SEND_MESSAGE_V2).with("b", "orders"));
        assertThat(incomplete.code()).isEqualTo(ResponseCodes.SYSTEM_ERROR);
    }

    @Test
    void theBrokerSaysHowItIs() throws Exception {
        client.ask(send("orders", 0, "x", Map.of()));
        Command answer = client.ask(Command.request(RequestCodes.GET_BROKER_RUNTIME_INFO));
        Map<String, String> table =
                KeyValueTable.fromJson(Json.read(answer.body())).table();
        assertThat(table).containsEntry("gantry.state", "serving").containsEntry("commitLogMinOffset", "0");
        assertThat(table.get("commitLogMaxOffset"))
                .isEqualTo(Long.toString(kit.node.store().appended()));
    }

    @Test
    void aMessageIsShownByItsPlaceInTheLog() {
        client.ask(send("orders", 0, "seen", Map.of()));
        long logOffset = messages(client.ask(pull("G", "orders", 0, 0))).get(0).logOffset;
        Command shown =
                client.ask(Command.request(RequestCodes.VIEW_MESSAGE_BY_ID).with(FieldNames.OFFSET, logOffset));
        assertThat(messages(shown)).extracting(m -> m.body).containsExactly("seen");
        Command nothing =
                client.ask(Command.request(RequestCodes.VIEW_MESSAGE_BY_ID).with(FieldNames.OFFSET, logOffset + 1));
        assertThat(nothing.code()).isEqualTo(ResponseCodes.SYSTEM_ERROR);
    }

    @Test
    void anUnknownRequestIsNamed() {
        Command answer = client.ask(Command.request(7777));
        assertThat(answer.code()).isEqualTo(ResponseCodes.REQUEST_CODE_NOT_SUPPORTED);
        assertThat(answer.remark()).contains("7777");
    }

    @Test
    void aOnewayRequestIsNeverAnswered() {
        client.say(
                send("orders", 0, "x", Map.of()).oneway(), Command.request(7777).oneway());
        assertThat(client.received).isEmpty();
        assertThat(messages(client.ask(pull("G", "orders", 0, 0)))).hasSize(1);
    }

    @Test
    void aMalformedFrameClosesItsOwnConnectionOnly() {
        byte[] garbage = {0, 0, 0, 8, 0, 0, 0, 4, 'G', 'E', 'T', ' '};
        BrokerKit.Client stranger = kit.connect();
        stranger.sayBytes(garbage);
        assertThat(stranger.closedWith).singleElement().asString().contains("malformed");
        assertThat(client.closedWith).isEmpty();
        assertThat(client.ask(send("orders", 0, "x", Map.of())).code()).isZero();
    }

    @Test
    void messagesTopicsAndOffsetsAreThereAfterARestart() throws Exception {
        client.ask(send("orders", 1, "kept", Map.of()));
        assertThat(client.ask(commit("G", "orders", 1, 1)).code()).isZero();
        restart();
        assertThat(client.ask(query("G", "orders", 1)).field(FieldNames.OFFSET)).isEqualTo("1");
        assertThat(messages(client.ask(pull("G", "orders", 1, 0))))
                .extracting(m -> m.body)
                .containsExactly("kept");
        assertThat(client.ask(send("orders", 1, "next", Map.of())).field(FieldNames.QUEUE_OFFSET))
                .isEqualTo("1");
    }

    @Test
    void stateIsThereAfterARestartFromTheExportedFilesToo() throws Exception {
        client.ask(send("orders", 1, "kept", Map.of()));
        client.ask(commit("G", "orders", 1, 1));
        kit.pass(Duration.ofSeconds(11));
        client.ask(commit("H", "orders", 1, 0));
        restart();
        assertThat(client.ask(query("G", "orders", 1)).field(FieldNames.OFFSET)).isEqualTo("1");
        assertThat(client.ask(query("H", "orders", 1)).field(FieldNames.OFFSET)).isEqualTo("0");
    }

    @Test
    void progressOnAPullIsRememberedWithoutACommitOfItsOwn() throws Exception {
        client.ask(send("orders", 0, "x", Map.of()));
        Command pull = pull("G", "orders", 0, 1).with(FieldNames.SYS_FLAG, 5).with(FieldNames.COMMIT_OFFSET, 1);
        client.ask(pull);
        assertThat(client.ask(query("G", "orders", 0)).field(FieldNames.OFFSET)).isEqualTo("1");
        restart();
        assertThat(client.ask(query("G", "orders", 0)).field(FieldNames.OFFSET)).isEqualTo("1");
    }

    @Test
    void aGroupThatNeverCommittedIsNotFoundWhenItAsksNotToBeGivenZero() {
        client.ask(send("orders", 0, "x", Map.of()));
        Command strict = query("new", "orders", 0).with(FieldNames.SET_ZERO_IF_NOT_FOUND, false);
        assertThat(client.ask(strict).code()).isEqualTo(ResponseCodes.QUERY_NOT_FOUND);
        assertThat(client.ask(query("new", "orders", 0)).field(FieldNames.OFFSET))
                .isEqualTo("0");
        assertThat(client.ask(query("new", "orders", 3)).code()).isEqualTo(ResponseCodes.QUERY_NOT_FOUND);
    }

    @Test
    void membersOfAGroupAreToldWhenOneComesOrGoes() throws Exception {
        BrokerKit.Client first = kit.connect();
        BrokerKit.Client second = kit.connect();
        first.say(heartbeat("one", "G", "orders"));
        assertThat(first.received).anyMatch(answer -> answer.isAnswer() && answer.code() == 0);
        first.received.clear();
        second.say(heartbeat("two", "G", "orders"));
        assertThat(first.received).extracting(Command::code).containsExactly(RequestCodes.NOTIFY_CONSUMER_IDS_CHANGED);
        Command list = client.ask(
                Command.request(RequestCodes.GET_CONSUMER_LIST_BY_GROUP).with(FieldNames.CONSUMER_GROUP, "G"));
        assertThat(ConsumerList.fromJson(Json.read(list.body())).clientIds()).containsExactly("one", "two");
        first.received.clear();
        second.hangUp();
        assertThat(first.received).extracting(Command::code).containsExactly(RequestCodes.NOTIFY_CONSUMER_IDS_CHANGED);
    }

    @Test
    void anUnchangedHeartbeatTellsNobody() {
        BrokerKit.Client first = kit.connect();
        first.say(heartbeat("one", "G", "orders"));
        first.received.clear();
        Command answer = first.ask(heartbeat("one", "G", "orders"));
        assertThat(answer.code()).isZero();
        assertThat(first.received).isEmpty();
    }

    @Test
    void aLockedQueueIsNotGivenToASecondClient() throws Exception {
        MessageQueueRef queue = new MessageQueueRef("orders", "broker-a", 0);
        assertThat(locked("one", queue)).containsExactly(queue);
        assertThat(locked("two", queue)).isEmpty();
        client.ask(Command.request(RequestCodes.UNLOCK_BATCH_MQ)
                .withBody(new LockRequest("one", "G", List.of(queue), false).toBytes()));
        assertThat(locked("two", queue)).containsExactly(queue);
    }

    @Test
    void aMessageThatIsSentBackComesAgainAfterItsDelay() {
        client.ask(send("orders", 0, "again", Map.of("TAGS", "A")));
        client.say(heartbeat("one", "G", "orders"));
        client.received.clear();
        Message original = messages(client.ask(pull("G", "orders", 0, 0))).get(0);
        Command answer = client.ask(Command.request(RequestCodes.CONSUMER_SEND_MSG_BACK)
                .with(FieldNames.OFFSET, original.logOffset)
                .with(FieldNames.GROUP, "G")
                .with(FieldNames.DELAY_LEVEL, 0)
                .with(FieldNames.ORIGIN_TOPIC, "orders"));
        assertThat(answer.code()).isZero();
        assertThat(client.ask(pull("G", "%RETRY%G", 0, 0)).code()).isEqualTo(ResponseCodes.PULL_NOT_FOUND);
        kit.pass(Duration.ofSeconds(11));
        Message again = messages(client.ask(pull("G", "%RETRY%G", 0, 0))).get(0);
        assertThat(again.body).isEqualTo("again");
        assertThat(again.redeliveries).isEqualTo(1);
        assertThat(again.properties).containsEntry("RETRY_TOPIC", "orders").doesNotContainKey("DELAY");
    }

    @Test
    void aMessageThatFailedTooOftenBecomesADeadLetter() {
        client.ask(send("orders", 0, "hopeless", Map.of()));
        client.say(heartbeat("one", "G", "orders"));
        client.received.clear();
        Message original = messages(client.ask(pull("G", "orders", 0, 0))).get(0);
        client.ask(Command.request(RequestCodes.CONSUMER_SEND_MSG_BACK)
                .with(FieldNames.OFFSET, original.logOffset)
                .with(FieldNames.GROUP, "G")
                .with(FieldNames.DELAY_LEVEL, 0)
                .with(FieldNames.MAX_RECONSUME_TIMES, 0));
        assertThat(messages(client.ask(pull("G", "%DLQ%G", 0, 0))))
                .extracting(m -> m.body)
                .containsExactly("hopeless");
    }

    @Test
    void aDelayedMessageComesWhenItIsDueAndOnlyOnceAfterARestart() throws Exception {
        client.ask(send("orders", 0, "later", Map.of("DELAY", "2")));
        client.ask(send("orders", 0, "now", Map.of()));
        assertThat(messages(client.ask(pull("G", "orders", 0, 0))))
                .extracting(m -> m.body)
                .containsExactly("now");
        kit.pass(Duration.ofSeconds(6));
        assertThat(messages(client.ask(pull("G", "orders", 0, 0))))
                .extracting(m -> m.body)
                .containsExactly("now", "later");
        restart();
        kit.pass(Duration.ofSeconds(6));
        assertThat(messages(client.ask(pull("G", "orders", 0, 0))))
                .extracting(m -> m.body)
                .containsExactly("now", "later");
    }

    @Test
    void offsetsAreFoundByTime() {
        client.ask(send("orders", 0, "early", Map.of()));
        clock.advance(Duration.ofMinutes(1));
        long between = clock.wallMillis();
        clock.advance(Duration.ofMinutes(1));
        client.ask(send("orders", 0, "late", Map.of()));
        Command byTime = Command.request(RequestCodes.SEARCH_OFFSET_BY_TIMESTAMP)
                .with(FieldNames.TOPIC, "orders")
                .with(FieldNames.QUEUE_ID, 0)
                .with(FieldNames.TIMESTAMP, between);
        assertThat(client.ask(byTime).field(FieldNames.OFFSET)).isEqualTo("1");
        assertThat(client.ask(queue(RequestCodes.GET_MAX_OFFSET)).field(FieldNames.OFFSET))
                .isEqualTo("2");
        assertThat(client.ask(queue(RequestCodes.GET_MIN_OFFSET)).field(FieldNames.OFFSET))
                .isEqualTo("0");
    }

    @Test
    void aTopicThatAToolCreatesIsThereAfterARestart() throws Exception {
        Command create = Command.request(RequestCodes.UPDATE_AND_CREATE_TOPIC)
                .with(FieldNames.TOPIC, "made")
                .with(FieldNames.READ_QUEUE_NUMS, 3)
                .with(FieldNames.WRITE_QUEUE_NUMS, 3)
                .with(FieldNames.PERM, 6);
        assertThat(client.ask(create).code()).isZero();
        restart();
        assertThat(client.ask(send("made", 2, "x", Map.of())).code()).isZero();
        assertThat(client.ask(send("made", 3, "x", Map.of())).code()).isEqualTo(ResponseCodes.INVALID_PARAMETER);
    }

    @Test
    void aListOfTopicsIsCreatedWholeOrNotAtAll() throws Exception {
        assertThat(client.ask(topicList("one", "two")).code()).isZero();
        Command refused = client.ask(topicList("three", "fo ur"));
        assertThat(refused.code()).isEqualTo(ResponseCodes.INVALID_PARAMETER);
        assertThat(refused.remark()).contains("fo ur").contains("no topic of the list was changed");
        restart();
        assertThat(client.ask(send("one", 4, "x", Map.of())).code()).isZero();
        assertThat(client.ask(send("two", 4, "x", Map.of())).code()).isZero();
        assertThat(client.ask(send("three", 4, "x", Map.of())).code()).isNotZero();
    }

    /// Topics of five queues.
    private static Command topicList(String... topics) {
        String items = Arrays.stream(topics)
                .map(topic -> "{\"perm\":6,\"readQueueNums\":5,\"topicName\":\"" + topic + "\",\"writeQueueNums\":5}")
                .collect(Collectors.joining(","));
        return Command.request(RequestCodes.UPDATE_AND_CREATE_TOPIC_LIST)
                .withBody(("{\"topicConfigList\":[" + items + "]}").getBytes(StandardCharsets.UTF_8));
    }

    private List<MessageQueueRef> locked(String clientId, MessageQueueRef queue) throws Exception {
        Command answer = client.ask(Command.request(RequestCodes.LOCK_BATCH_MQ)
                .withBody(new LockRequest(clientId, "G", List.of(queue), false).toBytes()));
        return LockAnswer.fromJson(Json.read(answer.body())).queues();
    }

    private static Command send(String topic, int queueId, String body, Map<String, String> properties) {
        return BrokerKit.send(
                topic,
                queueId,
                new String(MessageProperties.encode(new LinkedHashMap<>(properties)), StandardCharsets.UTF_8),
                body.getBytes(StandardCharsets.UTF_8));
    }

    private static Command pull(String group, String topic, int queueId, long offset) {
        return BrokerKit.pull(group, topic, queueId, offset);
    }

    private static Command waitingPull(String group, String topic, int queueId, long offset, String tags) {
        return pull(group, topic, queueId, offset)
                .with(FieldNames.SYS_FLAG, 6)
                .with(FieldNames.SUBSCRIPTION, tags)
                .with(FieldNames.SUSPEND_TIMEOUT_MILLIS, 15_000);
    }

    private static Command commit(String group, String topic, int queueId, long offset) {
        return Command.request(RequestCodes.UPDATE_CONSUMER_OFFSET)
                .with(FieldNames.CONSUMER_GROUP, group)
                .with(FieldNames.TOPIC, topic)
                .with(FieldNames.QUEUE_ID, queueId)
                .with(FieldNames.COMMIT_OFFSET, offset);
    }

    private static Command query(String group, String topic, int queueId) {
        return Command.request(RequestCodes.QUERY_CONSUMER_OFFSET)
                .with(FieldNames.CONSUMER_GROUP, group)
                .with(FieldNames.TOPIC, topic)
                .with(FieldNames.QUEUE_ID, queueId);
    }

    private static Command queue(int code) {
        return Command.request(code).with(FieldNames.TOPIC, "orders").with(FieldNames.QUEUE_ID, 0);
    }

    private static Command heartbeat(String clientId, String group, String topic) {
        ConsumerMembership member = new ConsumerMembership(
                group,
                ConsumeType.CONSUME_PASSIVELY,
                MessageModel.CLUSTERING,
                ConsumeFromWhere.CONSUME_FROM_LAST_OFFSET,
                List.of(Subscription.byTags(topic, "*", 1)),
                false);
        return Command.request(RequestCodes.HEART_BEAT)
                .withBody(new Heartbeat(clientId, List.of(), List.of(member), 0, false).toBytes());
    }

    private record Message(
            String topic, String body, Map<String, String> properties, long logOffset, int redeliveries) {}

    private static List<Message> messages(Command pulled) {
        assertThat(pulled.code()).as("%s", pulled).isZero();
        ByteBuffer bytes = ByteBuffer.wrap(pulled.body());
        List<Message> all = new ArrayList<>();
        RecordView view = new RecordView();
        for (int at = 0; at < bytes.capacity(); at += view.size()) {
            assertThat(view.wrap(bytes, at, bytes.capacity(), true)).isEqualTo(Check.OK);
            all.add(new Message(
                    view.topic(),
                    new String(view.body(), StandardCharsets.UTF_8),
                    view.properties().toMap(),
                    view.logOffset(),
                    view.redeliveries()));
        }
        return all;
    }
}
