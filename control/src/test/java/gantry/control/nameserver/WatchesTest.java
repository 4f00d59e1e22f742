package gantry.control.nameserver;

import static gantry.control.nameserver.NameserverKit.register;
import static org.assertj.core.api.Assertions.assertThat;

import gantry.control.fake.FakePeer;
import gantry.wire.body.TopicConfig;
import gantry.wire.body.TopicList;
import gantry.wire.frame.Command;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.RequestCodes;
import gantry.wire.frame.ResponseCodes;
import gantry.wire.json.Json;
import gantry.wire.json.JsonFault;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Who is told of changes of routes, of which, and how often.
final class WatchesTest {
    private static final TopicConfig T = TopicConfig.of("T", 4, 6);
    private static final TopicConfig U = TopicConfig.of("U", 4, 6);

    private final NameserverKit kit = new NameserverKit(NameserverConfig.DEFAULT);
    private final FakePeer broker = kit.peer();
    private final FakePeer client = kit.peer();

    @Test
    void aWatchedTopicThatComesChangesOrGoesIsToldAtTheNextTick() throws JsonFault {
        Command answer = client.ask(watch("T", "U"));
        assertThat(answer.code()).isEqualTo(ResponseCodes.SUCCESS);
        assertThat(answer.field(FieldNames.GANTRY_LISTENING_MILLIS)).isEqualTo("3000");

        broker.ask(register("b-a", 0, T));
        assertThat(client.heard()).isNull();
        tick();
        Command told = told();
        assertThat(told.code()).isEqualTo(RequestCodes.GANTRY_ROUTES_CHANGED);
        assertThat(told.isOneway()).isTrue();
        assertThat(told.field(FieldNames.GANTRY_ALL)).isNull();
        assertThat(topics(told)).containsExactly("T");

        broker.ask(register("b-a", 0, T, U));
        assertThat(news()).containsExactly("U");
        broker.ask(register("b-a", 0, TopicConfig.of("T", 8, 6), U, TopicConfig.of("V", 1, 6)));
        assertThat(news()).containsExactly("T");
        broker.hangUp();
        assertThat(news()).containsExactly("T", "U");
    }

    @Test
    void aBrokerThatIsSuspectBackOrGoneChangesTheRoutesOfItsTopics() throws JsonFault {
        Command promising = register("b-a", 0, T).with(FieldNames.HEARTBEAT_TIMEOUT_MILLIS, 10_000);
        broker.ask(promising);
        kit.peer().ask(register("b-b", 0, U));
        tick();
        client.ask(watch("T", "U"));

        assertThat(newsWithin(Duration.ofMillis(5_500))).containsExactly("T");
        broker.ask(promising);
        assertThat(news()).containsExactly("T");
        assertThat(newsWithin(Duration.ofMillis(5_500))).containsExactly("T");
        assertThat(newsWithin(Duration.ofMillis(4_500))).containsExactly("T");
    }

    @Test
    void aFollowerThatComesChangesTheRoutesOfItsBroker() throws JsonFault {
        broker.ask(register("b-a", 0, T));
        tick();
        client.ask(watch("T"));
        kit.peer().ask(register("b-a", 1, T));

        assertThat(news()).containsExactly("T");
    }

    @Test
    void nothingIsToldWhileNothingChanges() {
        broker.ask(register("b-a", 0, T));
        tick();
        client.ask(watch("T"));

        broker.ask(register("b-a", 0, T));
        kit.run(Duration.ofMinutes(1));

        assertThat(client.link().waiting()).isZero();
    }

    @Test
    void manyChangesOfATickAreOneMessage() throws JsonFault {
        client.ask(watch("T", "U"));
        broker.ask(register("b-a", 0, T));
        broker.ask(register("b-a", 0, T, U));
        kit.peer().ask(register("b-b", 0, T, U));
        tick();

        assertThat(client.link().waiting()).isEqualTo(1);
        assertThat(topics(told())).containsExactly("T", "U");
    }

    @Test
    void moreThanAThousandTopicsAreNotNamed() throws JsonFault {
        TopicConfig[] many = IntStream.range(0, Watches.MOST_NAMED + 1)
                .mapToObj(i -> TopicConfig.of("t" + i, 1, 6))
                .toArray(TopicConfig[]::new);
        client.ask(watch(names(Watches.MOST_NAMED + 1)));
        broker.ask(register("b-a", 0, many));
        tick();

        Command told = told();
        assertThat(told.field(FieldNames.GANTRY_ALL)).isEqualTo("true");
        assertThat(topics(told)).isEmpty();
    }

    @Test
    void aListReplacesTheFormerOne() throws JsonFault {
        client.ask(watch("T"));
        client.ask(watch("U"));
        broker.ask(register("b-a", 0, T, U));
        assertThat(news()).containsExactly("U");

        client.ask(watch());
        broker.hangUp();
        tick();
        assertThat(client.heard()).isNull();
    }

    @Test
    void aListThatIsTooLongOrNoneIsRefusedAndTheFormerStays() throws JsonFault {
        client.ask(watch("T"));

        Command tooLong = client.ask(watch(names(Watches.MOST_OF_ONE + 1)));
        assertThat(tooLong.code()).isEqualTo(ResponseCodes.INVALID_PARAMETER);
        assertThat(tooLong.remark()).isEqualTo("one connection may watch 10000 topics, and these are 10001");
        assertThat(client.ask(watch("x".repeat(256))).code()).isEqualTo(ResponseCodes.INVALID_PARAMETER);
        assertThat(client.ask(Command.request(RequestCodes.GANTRY_WATCH_ROUTES)).code())
                .isEqualTo(ResponseCodes.INVALID_PARAMETER);
        broker.ask(register("b-a", 0, T));
        assertThat(news()).containsExactly("T");
    }

    @Test
    void allClientsTogetherHaveRoomForAMillionTopics() {
        String[] many = names(Watches.MOST_OF_ONE);
        FakePeer last = client;
        for (int i = 0; i < Watches.MOST / Watches.MOST_OF_ONE; i++) {
            last = kit.peer();
            assertThat(last.ask(watch(many)).code()).isEqualTo(ResponseCodes.SUCCESS);
        }

        Command full = client.ask(watch("T"));
        assertThat(full.code()).isEqualTo(ResponseCodes.SYSTEM_BUSY);
        assertThat(full.remark()).startsWith("this nameserver watches 1000000 topics for all its clients");
        last.hangUp();
        assertThat(client.ask(watch("T")).code()).isEqualTo(ResponseCodes.SUCCESS);
    }

    @Test
    void aClientThatTakesNothingIsClosed() {
        client.ask(watch("T"));
        client.link().limit(0);
        broker.ask(register("b-a", 0, T));
        tick();

        assertThat(client.link().closedWith()).isEqualTo("news of routes could not be sent");
    }

    @Test
    void aClientThatLeftIsNotTold() {
        client.ask(watch("T"));
        client.hangUp();
        broker.ask(register("b-a", 0, T));
        tick();

        assertThat(client.heard()).isNull();
    }

    private static Command watch(String... topics) {
        return Command.request(RequestCodes.GANTRY_WATCH_ROUTES)
                .withBody(new TopicList(List.of(topics), null).toBytes());
    }

    private static String[] names(int count) {
        return IntStream.range(0, count).mapToObj(i -> "t" + i).toArray(String[]::new);
    }

    private void tick() {
        kit.run(Duration.ofMillis(NameserverNode.TICK_MILLIS));
    }

    private List<String> news() throws JsonFault {
        return newsWithin(Duration.ofMillis(NameserverNode.TICK_MILLIS));
    }

    /// The only message that comes in this time.
    private List<String> newsWithin(Duration time) throws JsonFault {
        kit.run(time);
        Command told = told();
        assertThat(client.heard()).isNull();
        return topics(told);
    }

    private Command told() {
        return Objects.requireNonNull(client.heard(), "nothing was told");
    }

    private static List<String> topics(Command told) throws JsonFault {
        return TopicList.fromJson(Json.read(told.body())).topics();
    }
}
