package gantry.broker;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.base.Endpoint;
import gantry.store.StoreConfig;
import gantry.store.disk.FileDisk;
import gantry.wire.body.Registration;
import gantry.wire.frame.Command;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.RequestCodes;
import gantry.wire.frame.ResponseCodes;
import gantry.wire.json.Json;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What nameservers hear of a broker, with two nameservers that answer when the test says so.
class RegistrationTest {
    private static final Endpoint FIRST = new Endpoint("10.0.0.1", 9876);
    private static final Endpoint SECOND = new Endpoint("10.0.0.2", 9876);

    @TempDir
    Path folder;

    private final BrokerKit.HandClock clock = new BrokerKit.HandClock();
    private BrokerKit kit;

    @BeforeEach
    void start() throws Exception {
        kit = new BrokerKit(
                new FileDisk(folder), clock, StoreConfig.DEFAULT.withSegmentBytes(1 << 20), List.of(FIRST, SECOND));
    }

    @AfterEach
    void stop() {
        kit.stop();
    }

    @Test
    void everyNameserverIsToldAtOnceWithTheTopics() throws Exception {
        for (Endpoint nameserver : List.of(FIRST, SECOND)) {
            Command registration = kit.dialled(nameserver).heard.remove();
            assertThat(registration.code()).isEqualTo(RequestCodes.REGISTER_BROKER);
            assertThat(registration.field(FieldNames.BROKER_ADDR)).isEqualTo("127.0.0.1:10911");
            assertThat(registration.field(FieldNames.BROKER_ID)).isEqualTo("0");
            assertThat(registration.field(FieldNames.BODY_CRC32))
                    .isEqualTo(Integer.toString(Registration.checksum(registration.body())));
            assertThat(Registration.fromJson(Json.read(registration.body()))
                            .table()
                            .topics())
                    .containsKeys("TBW102", "broker-a", "DefaultCluster");
        }
    }

    @Test
    void aNameserverThatIsSilentDelaysNobodyAndIsAskedAgain() {
        kit.dialled(SECOND).answer(ResponseCodes.SUCCESS);
        kit.pass(Duration.ofMillis(100));
        assertThat(kit.node.registered()).isEqualTo(1);
        BrokerKit.Nameserver silent = kit.dialled(FIRST);
        kit.pass(Duration.ofSeconds(7));
        assertThat(silent.closedWith).isNotEmpty();
        assertThat(kit.dialled(FIRST)).isNotSameAs(silent);
        assertThat(kit.notices).anyMatch(notice -> notice.contains("10.0.0.1") && notice.contains("did not answer"));
        kit.dialled(FIRST).answer(ResponseCodes.SUCCESS);
        kit.pass(Duration.ofMillis(100));
        assertThat(kit.node.registered()).isEqualTo(2);
        assertThat(kit.notices).anyMatch(notice -> notice.contains("10.0.0.1") && notice.contains("answers again"));
    }

    @Test
    void aRegisteredBrokerBeatsEverySecondAndRegistersInFullEveryThirty() {
        BrokerKit.Nameserver nameserver = kit.dialled(FIRST);
        nameserver.answer(ResponseCodes.SUCCESS);
        nameserver.heard.clear();
        kit.pass(Duration.ofMillis(5_500));
        assertThat(nameserver.heard)
                .hasSize(5)
                .allMatch(beat -> beat.code() == RequestCodes.BROKER_HEARTBEAT && !beat.isOneway());
        kit.pass(Duration.ofSeconds(25));
        assertThat(nameserver.heard).anyMatch(frame -> frame.code() == RequestCodes.REGISTER_BROKER);
    }

    @Test
    void aNameserverThatStopsAnsweringHeartbeatsGetsANewConnectionBeforeItSuspectsTheBroker() {
        BrokerKit.Nameserver nameserver = registered(FIRST);
        nameserver.heard.clear();
        kit.pass(Duration.ofMillis(1_100));
        nameserver.answer(ResponseCodes.SUCCESS);
        kit.pass(Duration.ofMillis(4_300));
        assertThat(nameserver.closedWith).isNotEmpty();
        kit.pass(Duration.ofMillis(1_100));
        assertThat(kit.dialled(FIRST)).isNotSameAs(nameserver);
        assertThat(kit.notices).anyMatch(notice -> notice.contains("has not answered the last 3 heartbeats"));
    }

    @Test
    void aNameserverThatNeverAnswersHeartbeatsIsNotExpectedTo() {
        BrokerKit.Nameserver nameserver = registered(FIRST);
        kit.pass(Duration.ofSeconds(20));
        assertThat(nameserver.closedWith).isEmpty();
    }

    @Test
    void aNameserverThatHasForgottenTheBrokerIsToldEverythingAtOnce() {
        BrokerKit.Nameserver nameserver = registered(FIRST);
        nameserver.heard.clear();
        kit.pass(Duration.ofMillis(1_100));
        nameserver.answer(ResponseCodes.BROKER_NOT_EXIST);
        Command told = nameserver.heard.removeLast();
        assertThat(told.code()).isEqualTo(RequestCodes.REGISTER_BROKER);
        assertThat(told.field(FieldNames.GANTRY_WHOLE)).isEqualTo("true");
    }

    @Test
    void aNewTopicIsToldAtOnceAndAnsweredWhenAllHaveHeardOfIt() throws Exception {
        BrokerKit.Nameserver first = registered(FIRST);
        BrokerKit.Nameserver second = registered(SECOND);
        BrokerKit.Client client = kit.connect();
        client.say(create("fresh"));
        for (BrokerKit.Nameserver nameserver : List.of(first, second)) {
            Command told = nameserver.heard.remove();
            assertThat(told.code()).isEqualTo(RequestCodes.REGISTER_BROKER);
            assertThat(Registration.fromJson(Json.read(told.body())).table().topics())
                    .containsKey("fresh");
        }
        first.answer(ResponseCodes.SUCCESS);
        assertThat(client.received).isEmpty();
        second.answer(ResponseCodes.SUCCESS);
        assertThat(client.received)
                .singleElement()
                .satisfies(answer -> assertThat(answer.code()).isZero());
    }

    @Test
    void onlyWhatChangedIsToldUntilTheNextFullRegistration() throws Exception {
        BrokerKit.Nameserver nameserver = registered(FIRST);
        kit.dialled(SECOND).hangUp("reset by peer");
        BrokerKit.Client client = kit.connect();
        client.say(create("fresh"));
        assertThat(topicsToldTo(nameserver)).containsExactly("fresh");
        client.say(create("second"));
        client.say(create("third"));
        nameserver.answer(ResponseCodes.SUCCESS);
        assertThat(topicsToldTo(nameserver)).containsExactly("second", "third");
        nameserver.answer(ResponseCodes.SUCCESS);
        kit.pass(Duration.ofSeconds(30));
        nameserver.heard.removeIf(frame -> frame.code() != RequestCodes.REGISTER_BROKER);
        assertThat(topicsToldTo(nameserver)).contains("fresh", "second", "third", "SELF_TEST_TOPIC");
    }

    @Test
    void aDeletedTopicIsToldByItself() throws Exception {
        BrokerKit.Nameserver nameserver = registered(FIRST);
        kit.dialled(SECOND).hangUp("reset by peer");
        BrokerKit.Client client = kit.connect();
        client.say(create("doomed"));
        nameserver.answer(ResponseCodes.SUCCESS);
        nameserver.heard.clear();
        client.say(Command.request(RequestCodes.DELETE_TOPIC_IN_BROKER).with(FieldNames.TOPIC, "doomed"));
        kit.pass(Duration.ofMillis(100));
        Command told = nameserver.heard.remove();
        assertThat(told.field(FieldNames.GANTRY_GONE)).isEqualTo("doomed");
        assertThat(told.field(FieldNames.GANTRY_WHOLE)).isNull();
        assertThat(Registration.fromJson(Json.read(told.body())).table().topics())
                .isEmpty();
    }

    @Test
    void aFullRegistrationSaysThatItIsOne() {
        Command first = kit.dialled(FIRST).heard.remove();
        assertThat(first.code()).isEqualTo(RequestCodes.REGISTER_BROKER);
        assertThat(first.field(FieldNames.GANTRY_WHOLE)).isEqualTo("true");
    }

    private static Set<String> topicsToldTo(BrokerKit.Nameserver nameserver) throws Exception {
        Command told = nameserver.heard.remove();
        assertThat(told.code()).isEqualTo(RequestCodes.REGISTER_BROKER);
        return Registration.fromJson(Json.read(told.body())).table().topics().keySet();
    }

    @Test
    void aFirstMessageIsAnsweredWhenItsTopicCanBeFound() {
        BrokerKit.Nameserver first = registered(FIRST);
        kit.dialled(SECOND).hangUp("reset by peer");
        BrokerKit.Client client = kit.connect();
        client.say(send("made-by-sending"));
        assertThat(client.received).isEmpty();
        first.answer(ResponseCodes.SUCCESS);
        assertThat(client.received)
                .singleElement()
                .satisfies(answer -> assertThat(answer.code()).isZero());
        // The topic is known from now on: nothing to wait for.
        client.say(send("made-by-sending"));
        assertThat(client.received).hasSize(2);
    }

    @Test
    void twoTopicsInShortOrderAreBothToldBeforeTheyAreAnswered() {
        BrokerKit.Nameserver first = registered(FIRST);
        kit.dialled(SECOND).hangUp("reset by peer");
        BrokerKit.Client client = kit.connect();
        client.say(create("one"));
        client.say(create("two"));
        first.answer(ResponseCodes.SUCCESS);
        assertThat(client.received).hasSize(1);
        first.answer(ResponseCodes.SUCCESS);
        assertThat(client.received).hasSize(2);
    }

    @Test
    void aSilentNameserverHoldsANewTopicBackForASecondAtMost() {
        registered(FIRST);
        BrokerKit.Client client = kit.connect();
        client.say(create("fresh"));
        kit.dialled(FIRST).answer(ResponseCodes.SUCCESS);
        kit.pass(Duration.ofMillis(900));
        assertThat(client.received).isEmpty();
        kit.pass(Duration.ofMillis(200));
        assertThat(client.received).hasSize(1);
    }

    private BrokerKit.Nameserver registered(Endpoint address) {
        BrokerKit.Nameserver nameserver = kit.dialled(address);
        nameserver.answer(ResponseCodes.SUCCESS);
        nameserver.heard.clear();
        return nameserver;
    }

    private static Command create(String topic) {
        return Command.request(RequestCodes.UPDATE_AND_CREATE_TOPIC)
                .with(FieldNames.TOPIC, topic)
                .with(FieldNames.READ_QUEUE_NUMS, 2)
                .with(FieldNames.WRITE_QUEUE_NUMS, 2)
                .with(FieldNames.PERM, 6);
    }

    private static Command send(String topic) {
        return Command.request(RequestCodes.SEND_MESSAGE_V2)
                .with("a", "PG")
                .with("b", topic)
                .with("c", "TBW102")
                .with("d", "4")
                .with("e", "0")
                .with("f", "0")
                .with("g", "1800000000000")
                .with("h", "0")
                .withBody(new byte[] {1});
    }

    @Test
    void aClosedConnectionIsDialledAgainAfterASecond() {
        BrokerKit.Nameserver before = kit.dialled(FIRST);
        before.answer(ResponseCodes.SUCCESS);
        before.hangUp("reset by peer");
        kit.pass(Duration.ofMillis(900));
        assertThat(kit.dialled(FIRST)).isSameAs(before);
        kit.pass(Duration.ofMillis(200));
        assertThat(kit.dialled(FIRST)).isNotSameAs(before);
    }

    @Test
    void aRefusalIsToldToTheOperatorInTheNameserversWords() {
        kit.dialled(FIRST).answer(ResponseCodes.SYSTEM_ERROR);
        assertThat(kit.notices).anyMatch(notice -> notice.contains("refused the registration with code 1"));
    }

    @Test
    void aBrokerThatStopsWithdrawsEverywhere() {
        kit.dialled(FIRST).answer(ResponseCodes.SUCCESS);
        kit.dialled(FIRST).heard.clear();
        kit.node.stop();
        assertThat(kit.dialled(FIRST).heard).extracting(Command::code).containsExactly(RequestCodes.UNREGISTER_BROKER);
        assertThat(kit.dialled(FIRST).closedWith).isNotEmpty();
    }
}
