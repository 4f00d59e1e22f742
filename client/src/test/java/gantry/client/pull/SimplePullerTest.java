package gantry.client.pull;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gantry.base.Endpoint;
import gantry.client.call.CallFailed;
import gantry.client.call.FakeServer;
import gantry.client.call.RemotingClient;
import gantry.client.pull.SimplePuller.Pulled;
import gantry.client.pull.SimplePuller.Queue;
import gantry.client.route.Routes;
import gantry.wire.body.BrokerAddresses;
import gantry.wire.body.QueueLayout;
import gantry.wire.body.TopicRoute;
import gantry.wire.frame.Command;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.RequestCodes;
import gantry.wire.frame.ResponseCodes;
import gantry.wire.message.MessageFlags;
import gantry.wire.message.MessageProperties;
import gantry.wire.message.RecordDraft;
import gantry.wire.message.RecordWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.Deflater;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Shows that a pull gives checked messages and true offsets, and that what is unknown is not taken for zero.
final class SimplePullerTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final RemotingClient client = RemotingClient.open();
    private FakeServer broker;
    private SimplePuller puller;
    private Queue queue;

    @BeforeEach
    void open() throws Exception {
        broker = new FakeServer();
        Endpoint there = broker.local();
        TopicRoute route = new TopicRoute(
                List.of(
                        new QueueLayout("b-b", 2, 2, 4, 0),
                        new QueueLayout("b-a", 3, 8, 6, 0),
                        new QueueLayout("b-c", 1, 1, 2, 0)),
                List.of(
                        new BrokerAddresses("C", "b-a", new TreeMap<>(Map.of(0L, there.toString())), false, null),
                        new BrokerAddresses(
                                "C",
                                "b-b",
                                new TreeMap<>(Map.of(0L, there.toString(), 1L, "127.0.0.1:1")),
                                false,
                                null),
                        new BrokerAddresses("C", "b-c", new TreeMap<>(Map.of(0L, there.toString())), false, null)));
        broker.on(
                RequestCodes.GET_ROUTEINFO_BY_TOPIC,
                request -> Command.answer(request, 0).withBody(route.toBytes()));
        puller = new SimplePuller(client, new Routes(client, List.of(there)), "CG");
        queue = new Queue(there, "T", "b-a", 1);
    }

    @AfterEach
    void close() {
        client.close();
        broker.close();
    }

    private static byte[] record(long queueOffset, byte[] body, int flags) {
        ByteBuffer bytes = ByteBuffer.allocate(body.length + 1000);
        int size = RecordWriter.write(
                bytes,
                new RecordDraft()
                        .topic("T".getBytes(StandardCharsets.UTF_8))
                        .queueId(1)
                        .flags(flags)
                        .bornMillis(111)
                        .properties(MessageProperties.encode(Map.of("TAGS", "TagA", "UNIQ_KEY", "NAME" + queueOffset)))
                        .body(body));
        RecordWriter.number(bytes, 0, queueOffset, 5000 + queueOffset, 222);
        return Arrays.copyOf(bytes.array(), size);
    }

    private static byte[] join(byte[]... parts) {
        ByteBuffer all =
                ByteBuffer.allocate(Arrays.stream(parts).mapToInt(p -> p.length).sum());
        for (byte[] part : parts) {
            all.put(part);
        }
        return all.array();
    }

    private static Command pulled(Command request, int code, long next) {
        return Command.answer(request, code)
                .with(FieldNames.SUGGEST_WHICH_BROKER_ID, 0)
                .with(FieldNames.NEXT_BEGIN_OFFSET, next)
                .with(FieldNames.MIN_OFFSET, 2)
                .with(FieldNames.MAX_OFFSET, 12);
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void theReadableQueuesAreListedInOrder() throws Exception {
        assertThat(puller.queues("T", LIMIT).stream().map(q -> q.brokerName() + q.queueId()))
                .containsExactly("b-a0", "b-a1", "b-a2", "b-b0", "b-b1");
    }

    @Test
    void aPullGivesItsMessagesAndWhereToGoOn() throws Exception {
        byte[] bodies = join(record(10, text("ten"), 0), record(11, text("eleven"), 0));
        broker.on(RequestCodes.PULL_MESSAGE, request -> pulled(request, 0, 12).withBody(bodies));
        Pulled pulled = puller.pull(queue, 10, 32, "TagA", Duration.ofSeconds(15));
        assertThat(pulled.messages().stream().map(m -> new String(m.body(), StandardCharsets.UTF_8)))
                .containsExactly("ten", "eleven");
        PulledMessage first = pulled.messages().getFirst();
        assertThat(first.queueOffset()).isEqualTo(10);
        assertThat(first.logOffset()).isEqualTo(5010);
        assertThat(first.bornMillis()).isEqualTo(111);
        assertThat(first.storeMillis()).isEqualTo(222);
        assertThat(first.messageId()).isEqualTo("NAME10");
        assertThat(first.tags()).isEqualTo("TagA");
        assertThat(first.keys()).isNull();
        assertThat(pulled.nextOffset()).isEqualTo(12);
        assertThat(pulled.minOffset()).isEqualTo(2);
        assertThat(pulled.maxOffset()).isEqualTo(12);
        assertThat(pulled.isMoved()).isFalse();

        Command request = broker.asked(RequestCodes.PULL_MESSAGE).getFirst();
        assertThat(request.fields())
                .containsEntry("consumerGroup", "CG")
                .containsEntry("topic", "T")
                .containsEntry("queueId", "1")
                .containsEntry("queueOffset", "10")
                .containsEntry("maxMsgNums", "32")
                .containsEntry("sysFlag", "6")
                .containsEntry("suspendTimeoutMillis", "15000")
                .containsEntry("subscription", "TagA")
                .containsEntry("expressionType", "TAG")
                .containsKeys("commitOffset", "subVersion");
    }

    @Test
    void aPullThatDoesNotWaitSaysSo() throws Exception {
        broker.on(RequestCodes.PULL_MESSAGE, request -> pulled(request, ResponseCodes.PULL_NOT_FOUND, 12));
        Pulled pulled = puller.pull(queue, 12, 32, "*", Duration.ZERO);
        assertThat(pulled.messages()).isEmpty();
        assertThat(pulled.nextOffset()).isEqualTo(12);
        assertThat(broker.asked(RequestCodes.PULL_MESSAGE).getFirst().fields()).containsEntry("sysFlag", "4");
    }

    @Test
    void filteredAndMovedPullsSayWhereToGoOn() throws Exception {
        broker.on(RequestCodes.PULL_MESSAGE, request -> pulled(request, ResponseCodes.PULL_RETRY_IMMEDIATELY, 11));
        assertThat(puller.pull(queue, 4, 32, "Other", Duration.ZERO).nextOffset())
                .isEqualTo(11);
        broker.on(RequestCodes.PULL_MESSAGE, request -> pulled(request, ResponseCodes.PULL_OFFSET_MOVED, 2));
        Pulled moved = puller.pull(queue, 0, 32, "*", Duration.ZERO);
        assertThat(moved.isMoved()).isTrue();
        assertThat(moved.nextOffset()).isEqualTo(2);
    }

    @Test
    void aRefusedPullIsToldWithItsCodeAndRemark() {
        broker.on(
                RequestCodes.PULL_MESSAGE,
                request -> Command.answer(request, 26).withRemark("no such group"));
        assertThatThrownBy(() -> puller.pull(queue, 0, 32, "*", Duration.ZERO))
                .isInstanceOfSatisfying(
                        CallFailed.class, e -> assertThat(e.code()).isEqualTo(26))
                .hasMessage("pull (11) to " + queue.address() + ": answered with code 26, no such group");
    }

    @Test
    void compressedBodiesAreReadAndDamagedOnesToldWithTheirPlace() throws Exception {
        byte[] plain = new byte[100_000];
        Arrays.fill(plain, (byte) 'x');
        Deflater deflater = new Deflater(5);
        deflater.setInput(plain);
        deflater.finish();
        byte[] room = new byte[10_000];
        byte[] compressed = Arrays.copyOf(room, deflater.deflate(room));
        deflater.end();
        Command[] answer = new Command[1];
        broker.on(RequestCodes.PULL_MESSAGE, request -> pulled(request, 0, 11).withBody(answer[0].body()));

        answer[0] = Command.request(0).withBody(record(10, compressed, MessageFlags.COMPRESSED));
        assertThat(puller.pull(queue, 10, 1, "*", Duration.ZERO)
                        .messages()
                        .getFirst()
                        .body())
                .isEqualTo(plain);
        answer[0] = Command.request(0).withBody(record(10, Arrays.copyOf(compressed, 50), MessageFlags.COMPRESSED));
        assertThatThrownBy(() -> puller.pull(queue, 10, 1, "*", Duration.ZERO))
                .hasMessageContaining("message 10 of queue 1 of \"T\"");
        answer[0] = Command.request(0)
                .withBody(record(10, compressed, MessageFlags.COMPRESSED | MessageFlags.COMPRESSION_ZSTD));
        assertThatThrownBy(() -> puller.pull(queue, 10, 1, "*", Duration.ZERO)).hasMessageContaining("ZSTD");
        byte[] damaged = record(10, text("ten"), 0);
        // The first byte of the body, behind the fixed part and the body's length.
        damaged[88] ^= 1;
        answer[0] = Command.request(0).withBody(damaged);
        assertThatThrownBy(() -> puller.pull(queue, 10, 1, "*", Duration.ZERO)).hasMessageContaining("damaged message");
    }

    @Test
    void offsetsAreAskedForAndCommittedInTheGroupsName() throws Exception {
        broker.on(
                RequestCodes.GET_MIN_OFFSET,
                request -> Command.answer(request, 0).with(FieldNames.OFFSET, 2));
        broker.on(
                RequestCodes.GET_MAX_OFFSET,
                request -> Command.answer(request, 0).with(FieldNames.OFFSET, 12));
        broker.on(
                RequestCodes.QUERY_CONSUMER_OFFSET,
                request -> Command.answer(request, 0).with(FieldNames.OFFSET, 7));
        broker.on(RequestCodes.UPDATE_CONSUMER_OFFSET, request -> Command.answer(request, 0));
        assertThat(puller.minOffset(queue, LIMIT)).isEqualTo(2);
        assertThat(puller.maxOffset(queue, LIMIT)).isEqualTo(12);
        broker.on(
                RequestCodes.SEARCH_OFFSET_BY_TIMESTAMP,
                request -> Command.answer(request, 0)
                        .with(
                                FieldNames.OFFSET,
                                request.fieldOr(FieldNames.TIMESTAMP, "").equals("99") ? 5 : 0));
        assertThat(puller.offsetAt(queue, 99, LIMIT)).isEqualTo(5);
        assertThat(puller.committed(queue, LIMIT)).isEqualTo(7);
        puller.commit(queue, 8, LIMIT);
        assertThat(broker.asked(RequestCodes.UPDATE_CONSUMER_OFFSET).getFirst().fields())
                .containsEntry("consumerGroup", "CG")
                .containsEntry("topic", "T")
                .containsEntry("queueId", "1")
                .containsEntry("commitOffset", "8");
    }

    @Test
    void aGroupWithoutAnOffsetHasNoneAndAnUnreadableOneIsNotZero() throws Exception {
        broker.on(
                RequestCodes.QUERY_CONSUMER_OFFSET,
                request ->
                        Command.answer(request, ResponseCodes.QUERY_NOT_FOUND).withRemark("none"));
        assertThat(puller.committed(queue, LIMIT)).isEqualTo(-1);
        broker.on(RequestCodes.QUERY_CONSUMER_OFFSET, request -> Command.answer(request, 0));
        assertThatThrownBy(() -> puller.committed(queue, LIMIT)).hasMessageContaining("offset");
        broker.on(
                RequestCodes.QUERY_CONSUMER_OFFSET,
                request -> Command.answer(request, 0).with(FieldNames.OFFSET, "seven"));
        assertThatThrownBy(() -> puller.committed(queue, LIMIT)).hasMessageContaining("seven");
    }
}
