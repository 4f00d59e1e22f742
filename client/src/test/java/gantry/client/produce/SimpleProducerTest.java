package gantry.client.produce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gantry.base.Endpoint;
import gantry.client.call.CallFailed;
import gantry.client.call.FakeServer;
import gantry.client.call.RemotingClient;
import gantry.client.produce.SimpleProducer.Sent;
import gantry.client.route.Routes;
import gantry.wire.body.TopicRoute;
import gantry.wire.frame.Command;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.RequestCodes;
import gantry.wire.frame.ResponseCodes;
import gantry.wire.message.MessageProperties;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Shows that a send finds its way past nameservers and brokers that hang, refuse or do not know the topic.
final class SimpleProducerTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final byte[] BODY = "hello".getBytes(StandardCharsets.UTF_8);

    private final List<FakeServer> servers = new ArrayList<>();
    private final RemotingClient client = RemotingClient.open();

    @AfterEach
    void close() {
        client.close();
        servers.forEach(FakeServer::close);
    }

    private FakeServer server() throws Exception {
        FakeServer server = new FakeServer();
        servers.add(server);
        return server;
    }

    private SimpleProducer producer(FakeServer... nameservers) {
        List<Endpoint> addresses = new ArrayList<>();
        for (FakeServer one : nameservers) {
            addresses.add(one.local());
        }
        return new SimpleProducer(client, new Routes(client, addresses), "PG");
    }

    /// Knows the routes of `routes` only.
    private FakeServer nameserver(Map<String, TopicRoute> routes) throws Exception {
        return FakeRoutes.nameserver(server(), routes);
    }

    private FakeServer broker() throws Exception {
        return server().on(RequestCodes.SEND_MESSAGE_V2, SimpleProducerTest::stored);
    }

    private FakeServer broker(int code) throws Exception {
        return server().on(
                        RequestCodes.SEND_MESSAGE_V2,
                        request -> Command.answer(request, code).withRemark("not now"));
    }

    private static Command stored(Command request) {
        return Command.answer(request, ResponseCodes.SUCCESS)
                .with(FieldNames.MSG_ID, "7F00000100002A9F0000000000000000")
                .with(FieldNames.QUEUE_ID, request.fields().getOrDefault("e", ""))
                .with(FieldNames.QUEUE_OFFSET, 41);
    }

    private static Map<String, String> properties(Command send) {
        return MessageProperties.toMap(send.fields().getOrDefault("i", ""));
    }

    @Test
    void aNameserverThatHasJustStartedIsAskedAgain() throws Exception {
        FakeServer broker = broker();
        int[] early = {2};
        FakeServer nameserver = server().on(
                        RequestCodes.GET_ROUTEINFO_BY_TOPIC,
                        request -> early[0]-- > 0
                                ? Command.answer(request, ResponseCodes.SYSTEM_ERROR)
                                        .withRemark("just started")
                                : Command.answer(request, ResponseCodes.SUCCESS)
                                        .withBody(FakeRoutes.route(4, broker).toBytes()));
        assertThat(producer(nameserver).send("T", BODY, null, null, LIMIT).brokerName())
                .isEqualTo("b-a");
    }

    @Test
    void aMessageGoesToTheTopicsQueuesInTurnWithAllMandatoryFields() throws Exception {
        FakeServer broker = broker();
        SimpleProducer producer = producer(nameserver(Map.of("T", FakeRoutes.route(4, broker))));
        for (int i = 0; i < 8; i++) {
            Sent sent = producer.send("T", BODY, "TagA", "k1 k2", LIMIT);
            assertThat(sent.brokerName()).isEqualTo("b-a");
            assertThat(sent.queueOffset()).isEqualTo(41);
            assertThat(sent.offsetMessageId()).isEqualTo("7F00000100002A9F0000000000000000");
            assertThat(sent.isReplicatedAndFlushed()).isTrue();
            assertThat(sent.messageId())
                    .isEqualTo(properties(broker.asked.getLast()).get("UNIQ_KEY"))
                    .hasSize(32);
        }
        assertThat(broker.asked.stream()
                        .collect(Collectors.groupingBy(c -> c.fields().getOrDefault("e", "?"), Collectors.counting())))
                .isEqualTo(Map.of("0", 2L, "1", 2L, "2", 2L, "3", 2L));
        Command first = broker.asked.getFirst();
        assertThat(first.fields())
                .containsKeys("a", "b", "c", "d", "e", "f", "g", "h", "i")
                .containsEntry("a", "PG")
                .containsEntry("b", "T")
                .containsEntry("c", "TBW102")
                .containsEntry("d", "4")
                .containsEntry("n", "b-a");
        assertThat(first.body()).isEqualTo(BODY);
        assertThat(properties(first)).containsEntry("TAGS", "TagA").containsEntry("KEYS", "k1 k2");
        assertThat(broker.asked.stream().map(c -> properties(c).get("UNIQ_KEY")))
                .doesNotHaveDuplicates();
    }

    @Test
    void aProducerBoundToABrokerOrAQueueSendsNowhereElse() throws Exception {
        FakeServer one = broker();
        FakeServer two = broker();
        FakeServer nameserver = nameserver(Map.of("T", FakeRoutes.route(4, one, two)));
        Routes routes = new Routes(client, List.of(nameserver.local()));
        SimpleProducer bound = new SimpleProducer(client, routes, "PG", "b-b", 2);
        for (int i = 0; i < 3; i++) {
            assertThat(bound.send("T", BODY, null, null, LIMIT).queueId()).isEqualTo(2);
        }
        assertThat(one.asked).isEmpty();
        SimpleProducer nowhere = new SimpleProducer(client, routes, "PG", "b-c", null);
        assertThatThrownBy(() -> nowhere.send("T", BODY, null, null, LIMIT)).hasMessageContaining("no broker takes");
    }

    @Test
    void aTopicThatNobodyKnowsGoesToTheQueuesOfTheDefaultTopic() throws Exception {
        FakeServer broker = broker();
        FakeServer nameserver = nameserver(Map.of("TBW102", FakeRoutes.route(8, broker)));
        SimpleProducer producer = producer(nameserver);
        for (int i = 0; i < 8; i++) {
            producer.send("New", BODY, null, null, LIMIT);
        }
        assertThat(broker.asked).allSatisfy(one -> assertThat(one.fields()).containsEntry("b", "New"));
        assertThat(broker.asked.stream().map(one -> one.fields().get("e")).distinct())
                .containsExactlyInAnyOrder("0", "1", "2", "3");
        assertThat(nameserver.asked.getFirst().field(FieldNames.TOPIC)).isEqualTo("New");
    }

    @Test
    void withoutTheDefaultTopicAnUnknownTopicIsRefusedWithWhatToDo() throws Exception {
        SimpleProducer producer = producer(nameserver(Map.of()));
        assertThatThrownBy(() -> producer.send("New", BODY, null, null, LIMIT))
                .isInstanceOfSatisfying(
                        CallFailed.class, e -> assertThat(e.code()).isEqualTo(ResponseCodes.TOPIC_NOT_EXIST))
                .hasMessageContaining("updateTopic");
    }

    @Test
    void aNameserverThatHangsCostsItsShareOnlyAndIsNotAskedFirstAgain() throws Exception {
        FakeServer broker = broker();
        FakeServer hung = server();
        FakeServer well = nameserver(Map.of("T", FakeRoutes.route(1, broker), "U", FakeRoutes.route(1, broker)));
        SimpleProducer producer = producer(hung, well);
        producer.send("T", BODY, null, null, Duration.ofSeconds(12));
        producer.send("U", BODY, null, null, Duration.ofSeconds(12));
        assertThat(hung.asked).hasSize(1);
        assertThat(well.asked).hasSize(2);
    }

    @Test
    void aNameserverThatDoesNotKnowTheTopicSaysNothingAboutTheOthers() throws Exception {
        FakeServer broker = broker();
        FakeServer behind = nameserver(Map.of("TBW102", FakeRoutes.route(1, broker)));
        FakeServer ahead = nameserver(Map.of("T", FakeRoutes.route(1, broker)));
        producer(behind, ahead).send("T", BODY, null, null, LIMIT);
        assertThat(behind.asked).hasSize(1);
        assertThat(broker.asked).hasSize(1);
    }

    @Test
    void aRouteThatIsKnownIsUsedWhenAllNameserversAreAway() throws Exception {
        FakeServer broker = broker();
        FakeServer nameserver = nameserver(Map.of("T", FakeRoutes.route(1, broker)));
        Routes routes = new Routes(client, List.of(nameserver.local()));
        SimpleProducer producer = new SimpleProducer(client, routes, "PG");
        producer.send("T", BODY, null, null, LIMIT);
        nameserver.close();
        routes.expire("T");
        producer.send("T", BODY, null, null, LIMIT);
        assertThat(broker.asked).hasSize(2);
    }

    @Test
    void whenNoNameserverAnswersEachIsNamed() throws Exception {
        FakeServer one = server();
        FakeServer two = server();
        one.close();
        two.close();
        assertThatThrownBy(() -> producer(one, two).send("T", BODY, null, null, LIMIT))
                .isInstanceOfSatisfying(
                        CallFailed.class, e -> assertThat(e.code()).isEqualTo(CallFailed.NO_ANSWER))
                .hasMessageContaining("no nameserver answered")
                .hasMessageContaining(one.local() + ": refused")
                .hasMessageContaining(two.local() + ": refused");
    }

    @Test
    void aBrokerThatRefusesOrIsAwayIsFollowedByAnotherWithTheSameMessage() throws Exception {
        for (int code : new int[] {
            ResponseCodes.SYSTEM_ERROR,
            ResponseCodes.SYSTEM_BUSY,
            ResponseCodes.SERVICE_NOT_AVAILABLE,
            ResponseCodes.NO_PERMISSION,
            ResponseCodes.TOPIC_NOT_EXIST,
            ResponseCodes.GO_AWAY
        }) {
            FakeServer bad = broker(code);
            FakeServer good = broker();
            SimpleProducer producer = producer(nameserver(Map.of("T", FakeRoutes.route(1, bad, good))));
            for (int i = 0; i < 2; i++) {
                assertThat(producer.send("T", BODY, null, null, LIMIT).brokerName())
                        .isEqualTo("b-b");
            }
            assertThat(good.asked).hasSize(2);
            assertThat(bad.asked).hasSize(1);
            String name = properties(bad.asked.getFirst()).getOrDefault("UNIQ_KEY", "none");
            assertThat(good.asked.stream().map(one -> properties(one).get("UNIQ_KEY")))
                    .contains(name);
        }
    }

    @Test
    void aBrokerThatHangsCostsHalfOfTheTime() throws Exception {
        FakeServer hung = server();
        FakeServer good = broker();
        SimpleProducer producer = producer(nameserver(Map.of("T", FakeRoutes.route(1, hung, good))));
        for (int i = 0; i < 2; i++) {
            assertThat(producer.send("T", BODY, null, null, Duration.ofSeconds(6))
                            .brokerName())
                    .isEqualTo("b-b");
        }
        assertThat(hung.asked).hasSize(1);
    }

    @Test
    void aRefusalThatConcernsTheMessageIsToldAtOnce() throws Exception {
        FakeServer bad = broker(ResponseCodes.MESSAGE_ILLEGAL);
        FakeServer alsoBad = broker(ResponseCodes.MESSAGE_ILLEGAL);
        SimpleProducer producer = producer(nameserver(Map.of("T", FakeRoutes.route(1, bad, alsoBad))));
        assertThatThrownBy(() -> producer.send("T", BODY, null, null, LIMIT))
                .isInstanceOfSatisfying(
                        CallFailed.class, e -> assertThat(e.code()).isEqualTo(ResponseCodes.MESSAGE_ILLEGAL))
                .hasMessageContaining("not now");
        assertThat(bad.asked.size() + alsoBad.asked.size()).isEqualTo(1);
    }

    @Test
    void whenEveryTryFailsEachIsNamed() throws Exception {
        FakeServer one = broker(ResponseCodes.SYSTEM_BUSY);
        FakeServer two = broker(ResponseCodes.SYSTEM_BUSY);
        SimpleProducer producer = producer(nameserver(Map.of("T", FakeRoutes.route(1, one, two))));
        assertThatThrownBy(() -> producer.send("T", BODY, null, null, LIMIT))
                .hasMessageContaining("was not confirmed within 20000 ms")
                .hasMessageContaining("send (310) to " + one.local() + ": answered with code 2, not now")
                .hasMessageContaining(two.local().toString());
        assertThat(one.asked.size() + two.asked.size()).isEqualTo(3);
    }

    @Test
    void storedButNotAsSafelyAsWantedIsASendWithAMark() throws Exception {
        FakeServer broker = server();
        broker.on(
                RequestCodes.SEND_MESSAGE_V2,
                request -> Command.answer(request, ResponseCodes.FLUSH_DISK_TIMEOUT)
                        .withFields(stored(request).fields()));
        Sent sent =
                producer(nameserver(Map.of("T", FakeRoutes.route(1, broker)))).send("T", BODY, null, null, LIMIT);
        assertThat(sent.isReplicatedAndFlushed()).isFalse();
        assertThat(broker.asked).hasSize(1);
    }

    @Test
    void anAnswerWithoutAnOffsetIsNotTakenForOffsetZero() throws Exception {
        FakeServer broker = server();
        broker.on(
                RequestCodes.SEND_MESSAGE_V2,
                request -> Command.answer(request, ResponseCodes.SUCCESS).with(FieldNames.QUEUE_ID, 0));
        assertThatThrownBy(() -> producer(nameserver(Map.of("T", FakeRoutes.route(1, broker))))
                        .send("T", BODY, null, null, LIMIT))
                .hasMessageContaining("queueOffset");
    }
}
