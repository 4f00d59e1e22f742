package gantry.client.produce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import gantry.client.GantryClient;
import gantry.client.call.CallFailed;
import gantry.client.call.FakeServer;
import gantry.wire.body.TopicRoute;
import gantry.wire.frame.Command;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.RequestCodes;
import gantry.wire.frame.ResponseCodes;
import gantry.wire.message.BatchItems;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Shows that sends get through in a fraction of a second past whatever hangs, and share requests where that helps.
final class ProducerTest {
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final List<AutoCloseable> open = new ArrayList<>();
    private final Map<String, TopicRoute> routes = new ConcurrentHashMap<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open.reversed()) {
            each.close();
        }
    }

    private FakeServer server() throws Exception {
        FakeServer server = new FakeServer();
        open.add(server);
        return server;
    }

    private FakeServer nameserver() throws Exception {
        return FakeRoutes.nameserver(server(), routes);
    }

    private FakeServer broker() throws Exception {
        return server().on(RequestCodes.SEND_MESSAGE_V2, ProducerTest::stored)
                .on(RequestCodes.SEND_BATCH_MESSAGE, ProducerTest::stored);
    }

    private static Command stored(Command request) {
        int count = items(request);
        return Command.answer(request, ResponseCodes.SUCCESS)
                .with(
                        FieldNames.MSG_ID,
                        IntStream.range(0, count).mapToObj(i -> "M" + i).collect(Collectors.joining(",")))
                .with(FieldNames.QUEUE_ID, request.fields().getOrDefault("e", ""))
                .with(FieldNames.QUEUE_OFFSET, 100);
    }

    private static int items(Command request) {
        if (request.code() == RequestCodes.SEND_MESSAGE_V2) {
            return 1;
        }
        return new BatchItems().wrap(ByteBuffer.wrap(request.body()), 0, request.body().length);
    }

    private GantryClient client(FakeServer... nameservers) {
        GantryClient client =
                GantryClient.builder().nameservers(list(nameservers)).open();
        open.add(client);
        return client;
    }

    private static String list(FakeServer... nameservers) {
        return java.util.Arrays.stream(nameservers)
                .map(each -> each.local().toString())
                .collect(Collectors.joining(";"));
    }

    private static Message message(int i) {
        return Message.to("T")
                .body(("m" + i).getBytes(StandardCharsets.UTF_8))
                .tags("A")
                .build();
    }

    private static Duration timed(Callable body) throws Exception {
        long start = System.nanoTime();
        body.run();
        return Duration.ofNanos(System.nanoTime() - start);
    }

    private interface Callable {
        void run() throws Exception;
    }

    @Test
    void aSendIsConfirmedWithWhereItLies() throws Exception {
        routes.put("T", FakeRoutes.route(1, broker()));
        SendReceipt receipt = client(nameserver()).producer("P").send(message(1));
        assertThat(receipt.brokerName()).isEqualTo("b-a");
        assertThat(receipt.queueOffset()).isEqualTo(100);
        assertThat(receipt.offsetMessageId()).isEqualTo("M0");
        assertThat(receipt.messageId()).hasSize(32);
        assertThat(receipt.asSafeAsAsked()).isTrue();
    }

    @Test
    void aHungBrokerCostsLessThanASecondOnceAndThenNothing() throws Exception {
        FakeServer hung = broker().hangs();
        FakeServer well = broker();
        routes.put("T", FakeRoutes.route(4, hung, well));
        Producer producer = client(nameserver()).producer("P");
        for (int i = 0; i < 8; i++) {
            int number = i;
            assertThat(timed(() -> assertThat(producer.send(message(number)).brokerName())
                            .isEqualTo("b-b")))
                    .isLessThan(Duration.ofSeconds(i == 0 ? 3 : 2));
        }
        assertThat(hung.asked(RequestCodes.SEND_MESSAGE_V2)).hasSizeLessThanOrEqualTo(2);
    }

    @Test
    void aBrokerThatWakesUpIsSentToAgain() throws Exception {
        FakeServer hung = broker().hangs();
        routes.put("T", FakeRoutes.route(4, hung, broker()));
        Producer producer = client(nameserver()).producer("P");
        while (hung.asked(RequestCodes.SEND_MESSAGE_V2).isEmpty()) {
            producer.send(message(0));
        }
        hung.wakes();
        await().atMost(Duration.ofSeconds(30))
                .until(() -> producer.send(message(1)).brokerName().equals("b-a"));
    }

    @Test
    void aHungNameserverDelaysNoStart() throws Exception {
        FakeServer hung = nameserver().hangs();
        routes.put("T", FakeRoutes.route(4, broker()));
        GantryClient client = client(hung, nameserver());
        assertThat(timed(() -> client.producer("P").send(message(1)))).isLessThan(Duration.ofSeconds(2));
    }

    @Test
    void messagesInFlightShareRequestsAndEachGetsItsOwnReceipt() throws Exception {
        FakeServer broker = broker();
        routes.put("T", FakeRoutes.route(1, broker));
        Producer producer = client(nameserver()).producer("P");
        producer.send(message(0));
        List<CompletableFuture<SendReceipt>> sent = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            sent.add(producer.sendAsync(message(i), LIMIT));
        }
        for (CompletableFuture<SendReceipt> each : sent) {
            each.get();
        }
        assertThat(broker.asked.size()).as("requests for 1,001 messages").isLessThan(500);
        assertThat(broker.asked.stream().mapToInt(ProducerTest::requestItems).sum())
                .isEqualTo(1001);
        assertThat(sent.stream().map(each -> each.join().messageId()).distinct())
                .hasSize(1000);
    }

    private static int requestItems(Command request) {
        return request.code() == RequestCodes.SEND_BATCH_MESSAGE || request.code() == RequestCodes.SEND_MESSAGE_V2
                ? items(request)
                : 0;
    }

    @Test
    void messagesWithOneKeyKeepTheirOrderAlsoWhenRequestsFail() throws Exception {
        List<String> stored = new ArrayList<>();
        int[] refusals = {3};
        FakeServer broker = server();
        FakeServer.Script script = request -> {
            if (refusals[0]-- > 0) {
                return Command.answer(request, ResponseCodes.SYSTEM_BUSY).withRemark("busy");
            }
            if (request.code() == RequestCodes.SEND_MESSAGE_V2) {
                stored.add(new String(request.body(), StandardCharsets.UTF_8));
            } else {
                BatchItems items = new BatchItems();
                int count = items.wrap(ByteBuffer.wrap(request.body()), 0, request.body().length);
                for (int i = 0; i < count; i++) {
                    assertThat(items.next()).isTrue();
                    byte[] body = new byte[items.bodyLength()];
                    ByteBuffer.wrap(request.body()).get(items.bodyOffset(), body);
                    stored.add(new String(body, StandardCharsets.UTF_8));
                }
            }
            return stored(request);
        };
        broker.on(RequestCodes.SEND_MESSAGE_V2, script).on(RequestCodes.SEND_BATCH_MESSAGE, script);
        routes.put("T", FakeRoutes.route(8, broker));
        Producer producer = client(nameserver()).producer("P");
        List<CompletableFuture<SendReceipt>> sent = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            sent.add(producer.sendAsync(Message.to("T")
                    .body(Integer.toString(i).getBytes(StandardCharsets.UTF_8))
                    .orderedBy("order-7")
                    .build()));
        }
        for (CompletableFuture<SendReceipt> each : sent) {
            each.get();
        }
        assertThat(stored)
                .isEqualTo(IntStream.range(0, 300).mapToObj(Integer::toString).toList());
        assertThat(sent.stream().map(each -> each.join().queueId()).distinct()).hasSize(1);
    }

    @Test
    void aMessageThatTheBrokerDoesNotTakeSpoilsNoneThatSharedItsRequest() throws Exception {
        FakeServer.Script script = request -> {
            boolean bad = new String(request.body(), StandardCharsets.UTF_8).contains("m13");
            return bad
                    ? Command.answer(request, ResponseCodes.MESSAGE_ILLEGAL).withRemark("thirteen")
                    : stored(request);
        };
        FakeServer broker =
                server().on(RequestCodes.SEND_MESSAGE_V2, script).on(RequestCodes.SEND_BATCH_MESSAGE, script);
        routes.put("T", FakeRoutes.route(1, broker));
        Producer producer = client(nameserver()).producer("P");
        List<CompletableFuture<SendReceipt>> sent = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            sent.add(producer.sendAsync(message(i)));
        }
        for (int i = 0; i < 50; i++) {
            CompletableFuture<SendReceipt> each = sent.get(i);
            await().until(each::isDone);
            assertThat(each.isCompletedExceptionally()).as("message " + i).isEqualTo(i == 13);
        }
        assertThat(sent.get(13).exceptionNow()).hasMessageContaining("thirteen");
    }

    @Test
    void aSendThatNobodyConfirmsSaysWhatWasTriedWhereAndHowLong() throws Exception {
        FakeServer refusing = server().on(
                        RequestCodes.SEND_MESSAGE_V2,
                        request -> Command.answer(request, ResponseCodes.SYSTEM_ERROR)
                                .withRemark("the disk is full"));
        routes.put("T", FakeRoutes.route(1, refusing));
        Producer producer = client(nameserver()).producer("P");
        assertThatThrownBy(() -> producer.send(message(1), Duration.ofMillis(700)))
                .isInstanceOf(CallFailed.class)
                .hasMessageContaining("the message to \"T\" was not confirmed within 700 ms")
                .hasMessageContaining(refusing.local().toString())
                .hasMessageContaining("the disk is full");
    }

    @Test
    void closingTheClientEndsSendsThatAreNotConfirmed() throws Exception {
        FakeServer hung = broker().hangs();
        routes.put("T", FakeRoutes.route(1, hung));
        GantryClient client = client(nameserver());
        Producer producer = client.producer("P");
        List<CompletableFuture<SendReceipt>> sent = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            sent.add(producer.sendAsync(message(i)));
        }
        await().until(() -> !hung.asked.isEmpty());
        client.close();
        for (CompletableFuture<SendReceipt> each : sent) {
            await().until(each::isDone);
            assertThat(each.exceptionNow()).isInstanceOf(CallFailed.class).hasMessageContaining("this client");
        }
        assertThat(producer.sendAsync(message(9)).exceptionNow()).hasMessageContaining("this client is closed");
    }

    @Test
    void aTopicThatNobodyKnowsIsCreatedAfterThePattern() throws Exception {
        FakeServer broker = broker();
        routes.put("TBW102", FakeRoutes.route(8, broker));
        SendReceipt receipt = client(nameserver()).producer("P").send(message(1));
        assertThat(receipt.queueId()).isBetween(0, 3);
        Command send = broker.asked(RequestCodes.SEND_MESSAGE_V2).getFirst();
        assertThat(send.fields()).containsEntry("b", "T").containsEntry("c", "TBW102");
    }

    @Test
    void aStartSucceedsWhileAllNameserversAreAwayIfRoutesWereWrittenDown(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("routes.json");
        FakeServer nameserver = nameserver();
        routes.put("T", FakeRoutes.route(1, broker()));
        try (GantryClient first = GantryClient.builder()
                .nameservers(list(nameserver))
                .routeFile(file)
                .open()) {
            first.producer("P").send(message(1));
            await().atMost(Duration.ofSeconds(10)).until(() -> file.toFile().exists());
        }
        nameserver.hangs();
        try (GantryClient second = GantryClient.builder()
                .nameservers(list(nameserver))
                .routeFile(file)
                .open()) {
            assertThat(timed(() -> second.producer("P").send(message(2)))).isLessThan(Duration.ofSeconds(2));
        }
    }

    @Test
    void aPushedChangeIsSeenAtOnce() throws Exception {
        FakeServer first = broker();
        FakeServer second = broker();
        FakeServer nameserver = nameserver()
                .on(RequestCodes.GANTRY_WATCH_ROUTES, request -> Command.answer(request, ResponseCodes.SUCCESS));
        routes.put("T", FakeRoutes.route(1, first));
        GantryClient client = client(nameserver);
        Producer producer = client.producer("P");
        producer.send(message(1));
        await().until(() -> !nameserver.asked(RequestCodes.GANTRY_WATCH_ROUTES).isEmpty());
        routes.put("T", FakeRoutes.route(1, second));
        Command notice = Command.request(RequestCodes.GANTRY_ROUTES_CHANGED)
                .oneway()
                .withBody("{\"topicList\":[\"T\"]}".getBytes(StandardCharsets.UTF_8));
        nameserver.send(nameserver.links.getFirst(), notice);
        await().atMost(Duration.ofSeconds(3)).until(() -> {
            producer.send(message(2));
            return !second.asked.isEmpty();
        });
    }
}
