package gantry.control.nameserver;

import static gantry.control.nameserver.NameserverKit.broker;
import static gantry.control.nameserver.NameserverKit.register;
import static gantry.control.nameserver.NameserverKit.route;
import static org.assertj.core.api.Assertions.assertThat;

import gantry.control.fake.FakePeer;
import gantry.wire.body.BrokerAddresses;
import gantry.wire.body.BrokerMemberGroup;
import gantry.wire.body.CompressedRegistration;
import gantry.wire.body.DataVersion;
import gantry.wire.body.QueueLayout;
import gantry.wire.body.Registration;
import gantry.wire.body.TopicConfig;
import gantry.wire.body.TopicList;
import gantry.wire.body.TopicRoute;
import gantry.wire.frame.Codec;
import gantry.wire.frame.Command;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.RequestCodes;
import gantry.wire.frame.ResponseCodes;
import gantry.wire.frame.Versions;
import gantry.wire.json.Json;
import gantry.wire.json.JsonFault;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What brokers and clients see of a nameserver.
final class NameserverNodeTest {
    private static final TopicConfig T = TopicConfig.of("T", 4, 6);

    private final NameserverKit kit = new NameserverKit(NameserverConfig.DEFAULT);
    private final FakePeer broker = kit.peer();
    private final FakePeer client = kit.peer();

    @Test
    void aRegisteredTopicHasARoute() throws JsonFault {
        Command answer = broker.ask(register("b-a", 0, T));

        assertThat(answer.code()).isEqualTo(ResponseCodes.SUCCESS);
        assertThat(answer.fields()).isEmpty();
        assertThat(route(client.ask(route("T"))))
                .isEqualTo(new TopicRoute(
                        List.of(new QueueLayout("b-a", 4, 4, 6, 0)),
                        List.of(new BrokerAddresses(
                                "C", "b-a", new TreeMap<>(Map.of(0L, "b-a-0:10911")), false, null))));
    }

    @Test
    void aFollowerLearnsItsMaster() {
        broker.ask(register("b-a", 0, T));

        Command answer = kit.peer().ask(register("b-a", 1, T));

        assertThat(answer.field(FieldNames.MASTER_ADDR)).isEqualTo("b-a-0:10911");
        assertThat(answer.field(FieldNames.HA_SERVER_ADDR)).isEqualTo("b-a-0:10912");
    }

    @Test
    void anUnknownTopicIsRefusedByName() {
        Command answer = client.ask(route("nobody's"));

        assertThat(answer.code()).isEqualTo(ResponseCodes.TOPIC_NOT_EXIST);
        assertThat(answer.remark()).isEqualTo("no broker has registered the topic nobody's here");
        assertThat(answer.body()).isEmpty();
    }

    @Test
    void newClientsGetStandardJsonAndOldOnesBareKeys() {
        broker.ask(register("b-a", 0, T));
        Command request = route("T");

        assertThat(text(client.ask(request.withVersion(Versions.V4_9_4)))).contains("\"brokerAddrs\":{\"0\":");
        assertThat(text(client.ask(request.withVersion(Versions.V4_9_4 - 1)))).contains("\"brokerAddrs\":{0:");
        assertThat(text(client.ask(request.withVersion(0).with(FieldNames.ACCEPT_STANDARD_JSON_ONLY, true))))
                .contains("\"brokerAddrs\":{\"0\":");
    }

    @Test
    void answersComeInTheSerialisationOfTheirRequests() {
        broker.ask(register("b-a", 0, T).withCodec(Codec.ROCKETMQ));

        Command binary = client.ask(route("T").withCodec(Codec.ROCKETMQ));
        Command json = client.ask(route("T"));

        assertThat(binary.codec()).isEqualTo(Codec.ROCKETMQ);
        assertThat(json.codec()).isEqualTo(Codec.JSON);
        assertThat(binary.body()).isEqualTo(json.body());
    }

    @Test
    void aCompressedRegistrationIsReadLikeAPlainOne() {
        Registration body = NameserverKit.body("b-a", T, TopicConfig.of("U", 2, 4));
        byte[] bytes = CompressedRegistration.write(body, Versions.OURS);

        broker.ask(broker(RequestCodes.REGISTER_BROKER, "b-a", 0)
                .with(FieldNames.COMPRESSED, true)
                .with(FieldNames.BODY_CRC32, Registration.checksum(bytes))
                .withBody(bytes));

        assertThat(client.ask(route("U")).code()).isEqualTo(ResponseCodes.SUCCESS);
    }

    @Test
    void aBodyWithAnotherChecksumIsRefused() {
        Command answer = broker.ask(register("b-a", 0, T).with(FieldNames.BODY_CRC32, 1));

        assertThat(answer.code()).isEqualTo(ResponseCodes.SYSTEM_ERROR);
        assertThat(answer.remark()).matches("the body's checksum is \\d+, the header says 1");
        assertThat(client.ask(route("T")).code()).isEqualTo(ResponseCodes.TOPIC_NOT_EXIST);
    }

    @Test
    void aBrokenBodyIsRefusedWithItsPlace() {
        Command answer = broker.ask(broker(RequestCodes.REGISTER_BROKER, "b-a", 0)
                .withBody("{\"topicConfigSerializeWrapper\":{".getBytes(StandardCharsets.UTF_8)));

        assertThat(answer.code()).isEqualTo(ResponseCodes.SYSTEM_ERROR);
        assertThat(answer.remark())
                .isEqualTo("the body is no registration: the text ends where a key should be, at byte 32");
    }

    @Test
    void aMissingFieldIsNamed() {
        Command answer =
                broker.ask(Command.request(RequestCodes.REGISTER_BROKER).with(FieldNames.BROKER_NAME, "b-a"));

        assertThat(answer.code()).isEqualTo(ResponseCodes.SYSTEM_ERROR);
        assertThat(answer.remark()).contains("clusterName", "missing");
    }

    @Test
    void anAddressThatIsNoneIsRefused() {
        Command answer = broker.ask(register("b-a", 0, T).with(FieldNames.BROKER_ADDR, "nowhere"));

        assertThat(answer.remark()).isEqualTo("\"nowhere\" is no address: a broker is at host:port");
    }

    @Test
    void aRefusedBrokerIsToldWhyAndSoIsTheOperator() {
        Command answer = broker.ask(register("b-a", 0));

        assertThat(answer.code()).isEqualTo(ResponseCodes.SYSTEM_ERROR);
        assertThat(answer.remark()).contains("register the whole table");
        assertThat(kit.notices.take()).containsExactly("WARN " + answer.remark());
    }

    @Test
    void noticesAreBounded() {
        for (int i = 0; i < 500; i++) {
            broker.ask(register("b-a", 0));
        }
        assertThat(kit.notices.take()).hasSize(50);

        kit.run(Duration.ofSeconds(11));

        assertThat(kit.notices.take()).containsExactly("WARN 450 more notices about brokers were left out");
    }

    @Test
    void aBrokerWithoutBodyIsKnownWithoutTopics() throws JsonFault {
        broker.ask(broker(RequestCodes.REGISTER_BROKER, "b-a", 0));

        Command answer = client.ask(Command.request(RequestCodes.GET_BROKER_MEMBER_GROUP)
                .with(FieldNames.CLUSTER_NAME, "C")
                .with(FieldNames.BROKER_NAME, "b-a"));
        assertThat(BrokerMemberGroup.fromJson(Json.read(answer.body())).addresses())
                .isEqualTo(Map.of(0L, "b-a-0:10911"));
    }

    @Test
    void theEndOfABrokersLinkIsItsEnd() {
        broker.ask(register("b-a", 0, T));
        client.hangUp();
        assertThat(kit.peer().ask(route("T")).code()).isEqualTo(ResponseCodes.SUCCESS);

        broker.hangUp();

        assertThat(kit.peer().ask(route("T")).code()).isEqualTo(ResponseCodes.TOPIC_NOT_EXIST);
    }

    @Test
    void aBrokerThatUnregistersIsGoneAndAStrangersWordCountsForNothing() {
        broker.ask(register("b-a", 0, T));
        Command goodbye = broker(RequestCodes.UNREGISTER_BROKER, "b-a", 0);

        assertThat(client.ask(goodbye).remark()).endsWith("is registered over another connection");
        assertThat(client.ask(route("T")).code()).isEqualTo(ResponseCodes.SUCCESS);
        assertThat(broker.ask(goodbye).code()).isEqualTo(ResponseCodes.SUCCESS);
        assertThat(client.ask(route("T")).code()).isEqualTo(ResponseCodes.TOPIC_NOT_EXIST);
    }

    @Test
    void aSilentBrokerExpiresByItsPromiseAndItsLinkIsClosed() {
        broker.ask(register("b-a", 0, T).with(FieldNames.HEARTBEAT_TIMEOUT_MILLIS, 5_000));

        kit.run(Duration.ofSeconds(5));
        assertThat(client.ask(route("T")).code()).isEqualTo(ResponseCodes.SUCCESS);
        assertThat(broker.ask(broker(RequestCodes.BROKER_HEARTBEAT, "b-a", 0)).code())
                .isEqualTo(ResponseCodes.SUCCESS);
        kit.run(Duration.ofSeconds(5));
        assertThat(client.ask(route("T")).code()).isEqualTo(ResponseCodes.SUCCESS);
        kit.run(Duration.ofSeconds(1));
        assertThat(client.ask(route("T")).code()).isEqualTo(ResponseCodes.TOPIC_NOT_EXIST);
        assertThat(broker.link().closedWith()).isEqualTo("broker b-a:0 (b-a-0:10911) was not heard for 5 s");
        assertThat(client.link().closedWith()).isNull();
    }

    @Test
    void anAbsurdPromiseIsBelievedForADay() {
        broker.ask(register("b-a", 0, T).with(FieldNames.HEARTBEAT_TIMEOUT_MILLIS, Long.MAX_VALUE));
        kit.node.tick();

        kit.clock.advance(Duration.ofDays(1));
        kit.node.tick();
        FakePeer later = kit.peer();
        assertThat(later.ask(route("T")).code())
                .as("a day of standstill is forgiven")
                .isEqualTo(0);
        for (int i = 0; i <= 86_400; i += 2) {
            kit.clock.advance(Duration.ofSeconds(2));
            kit.node.tick();
        }
        assertThat(later.ask(route("T")).code()).isEqualTo(ResponseCodes.TOPIC_NOT_EXIST);
    }

    @Test
    void aHeartbeatOfAnUnknownBrokerAsksForARegistration() {
        Command answer = broker.ask(broker(RequestCodes.BROKER_HEARTBEAT, "b-a", 0));

        assertThat(answer.code()).isEqualTo(ResponseCodes.BROKER_NOT_EXIST);
        assertThat(answer.remark()).isEqualTo("broker b-a:0 (b-a-0:10911) is not known here: register it");
    }

    @Test
    void aBrokerLearnsWhetherItsVersionIsKnown() throws JsonFault {
        broker.ask(register("b-a", 0, T));
        Command question = broker(RequestCodes.QUERY_DATA_VERSION, "b-a", 0);

        Command same = broker.ask(question.withBody(new DataVersion(0, 1_000, 1).toBytes()));
        Command other = broker.ask(question.withBody(new DataVersion(0, 1_000, 2).toBytes()));
        Command unknown = broker.ask(broker(RequestCodes.QUERY_DATA_VERSION, "b-x", 0));

        assertThat(same.fields()).containsEntry("changed", "false");
        assertThat(DataVersion.fromJson(Json.read(same.body()))).isEqualTo(new DataVersion(0, 1_000, 1));
        assertThat(other.fields()).containsEntry("changed", "true");
        assertThat(unknown.fields()).containsEntry("changed", "true");
        assertThat(unknown.body()).isEmpty();
    }

    @Test
    void clustersAndTopicsAreListed() throws JsonFault {
        broker.ask(register("b-a", 0, T));
        kit.peer().ask(register("b-b", 0, T, TopicConfig.of("U", 1, 6)).with(FieldNames.CLUSTER_NAME, "D"));

        assertThat(text(client.ask(Command.request(RequestCodes.GET_BROKER_CLUSTER_INFO))))
                .isEqualTo("{\"brokerAddrTable\":{\"b-a\":{\"brokerAddrs\":{0:\"b-a-0:10911\"},\"brokerName\":\"b-a\","
                        + "\"cluster\":\"C\",\"enableActingMaster\":false},\"b-b\":{\"brokerAddrs\":{0:\"b-b-0:10911\"},"
                        + "\"brokerName\":\"b-b\",\"cluster\":\"D\",\"enableActingMaster\":false}},"
                        + "\"clusterAddrTable\":{\"C\":[\"b-a\"],\"D\":[\"b-b\"]}}");
        assertThat(list(Command.request(RequestCodes.GET_ALL_TOPIC_LIST_FROM_NAMESERVER)))
                .isEqualTo(new TopicList(List.of("T", "U", "b-a", "b-b"), null));
        assertThat(list(Command.request(RequestCodes.GET_TOPICS_BY_CLUSTER).with(FieldNames.CLUSTER, "C")))
                .isEqualTo(new TopicList(List.of("T", "b-a"), null));
        assertThat(list(Command.request(RequestCodes.GET_SYSTEM_TOPIC_LIST_FROM_NS)))
                .isEqualTo(new TopicList(List.of("C", "D", "b-a", "b-b"), "b-a-0:10911"));
    }

    @Test
    void unitTopicsAreListedByTheirFlags() throws JsonFault {
        broker.ask(register("b-a", 0, flagged("unit", 1), flagged("both", 3), flagged("sub", 2), T));

        assertThat(list(Command.request(RequestCodes.GET_UNIT_TOPIC_LIST)).topics())
                .containsExactly("both", "unit");
        assertThat(list(Command.request(RequestCodes.GET_HAS_UNIT_SUB_TOPIC_LIST))
                        .topics())
                .containsExactly("both", "sub");
        assertThat(list(Command.request(RequestCodes.GET_HAS_UNIT_SUB_UNUNIT_TOPIC_LIST))
                        .topics())
                .containsExactly("sub");
    }

    private static TopicConfig flagged(String name, int flags) {
        return new TopicConfig(name, 1, 1, 6, TopicConfig.SINGLE_TAG, flags, false, Map.of());
    }

    @Test
    void listsOfTopicsCanBeSwitchedOff() {
        FakePeer other = new NameserverKit(new NameserverConfig(
                        NameserverConfig.DEFAULT.routes(),
                        false,
                        true,
                        false,
                        false,
                        NameserverConfig.FIRST_WORDS,
                        Duration.ZERO))
                .peer();

        Command answer = other.ask(Command.request(RequestCodes.GET_ALL_TOPIC_LIST_FROM_NAMESERVER));

        assertThat(answer.code()).isEqualTo(ResponseCodes.SYSTEM_ERROR);
    }

    @Test
    void toolsTakeAndGiveTheRightToWriteAndDeleteTopics() throws JsonFault {
        broker.ask(register("b-a", 0, T));

        Command wiped = client.ask(
                Command.request(RequestCodes.WIPE_WRITE_PERM_OF_BROKER).with(FieldNames.BROKER_NAME, "b-a"));
        assertThat(wiped.fields()).containsEntry("wipeTopicCount", "2");
        assertThat(route(client.ask(route("T"))).queues()).containsExactly(new QueueLayout("b-a", 4, 4, 4, 0));
        Command added = client.ask(
                Command.request(RequestCodes.ADD_WRITE_PERM_OF_BROKER).with(FieldNames.BROKER_NAME, "b-a"));
        assertThat(added.fields()).containsEntry("addTopicCount", "2");
        assertThat(route(client.ask(route("T"))).queues()).containsExactly(new QueueLayout("b-a", 4, 4, 6, 0));
        client.ask(Command.request(RequestCodes.DELETE_TOPIC_IN_NAMESRV).with(FieldNames.TOPIC, "T"));
        assertThat(client.ask(route("T")).code()).isEqualTo(ResponseCodes.TOPIC_NOT_EXIST);
    }

    @Test
    void oneTopicMoreIsAnnouncedByAKnownBroker() {
        Command announcement = Command.request(RequestCodes.REGISTER_TOPIC_IN_NAMESRV)
                .with(FieldNames.TOPIC, "U")
                .withBody(new TopicRoute(List.of(new QueueLayout("b-a", 1, 1, 6, 0)), List.of()).toBytes());

        assertThat(broker.ask(announcement).code()).isEqualTo(ResponseCodes.SYSTEM_ERROR);
        broker.ask(register("b-a", 0, T));
        assertThat(broker.ask(announcement).code()).isEqualTo(ResponseCodes.SUCCESS);
        assertThat(client.ask(route("U")).code()).isEqualTo(ResponseCodes.SUCCESS);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 10, 34, 318, 1001, 999_999, -1})
    void aCodeThatIsNotServedIsSaidSo(int code) {
        Command answer = client.ask(Command.request(code));

        assertThat(answer.code()).isEqualTo(ResponseCodes.REQUEST_CODE_NOT_SUPPORTED);
        assertThat(answer.remark()).isEqualTo("a nameserver does not support requests of code " + code);
    }

    @Test
    void nothingOnewayIsAnswered() {
        broker.say(
                register("b-a", 0, T).oneway(),
                broker(RequestCodes.BROKER_HEARTBEAT, "b-x", 0).oneway(),
                route("nobody's").oneway(),
                Command.request(999).oneway());

        assertThat(broker.link().waiting()).isZero();
        assertThat(client.ask(route("T")).code()).isEqualTo(ResponseCodes.SUCCESS);
    }

    @Test
    void anAnswerIsNotTakenForARequest() {
        client.say(Command.answer(route("T"), 105).with(FieldNames.TOPIC, "T"));

        assertThat(client.link().waiting()).isZero();
        assertThat(client.link().closedWith()).isNull();
    }

    @Test
    void aStrangersBytesCloseItsLinkAndNoOther() {
        broker.ask(register("b-a", 0, T));
        FakePeer stranger = kit.peer();

        stranger.sayBytes("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII));

        assertThat(stranger.link().closedWith()).startsWith("a malformed frame: ");
        stranger.hangUp();
        assertThat(broker.link().closedWith()).isNull();
        assertThat(client.ask(route("T")).code()).isEqualTo(ResponseCodes.SUCCESS);
    }

    @Test
    void aLinkThatTakesNoAnswerIsClosed() {
        client.link().limit(0);

        client.say(route("T"));

        assertThat(client.link().closedWith()).isEqualTo("an answer could not be sent");
    }

    private TopicList list(Command request) throws JsonFault {
        return TopicList.fromJson(Json.read(client.ask(request).body()));
    }

    private static String text(Command answer) {
        return new String(answer.body(), StandardCharsets.UTF_8);
    }
}
