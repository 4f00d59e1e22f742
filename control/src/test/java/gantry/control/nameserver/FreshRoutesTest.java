package gantry.control.nameserver;

import static gantry.control.nameserver.NameserverKit.broker;
import static gantry.control.nameserver.NameserverKit.register;
import static gantry.control.nameserver.NameserverKit.route;
import static org.assertj.core.api.Assertions.assertThat;

import gantry.control.fake.FakePeer;
import gantry.wire.body.FreshRoute;
import gantry.wire.body.TopicConfig;
import gantry.wire.frame.Command;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.RequestCodes;
import gantry.wire.frame.ResponseCodes;
import gantry.wire.frame.Versions;
import gantry.wire.json.Json;
import gantry.wire.json.JsonFault;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// What clients see of brokers that are not heard, and of a nameserver that heard nobody.
final class FreshRoutesTest {
    private static final TopicConfig T = TopicConfig.of("T", 4, 6);

    private final NameserverKit kit = new NameserverKit(NameserverConfig.DEFAULT);
    private final FakePeer client = kit.peer();

    @Test
    void aSuspectMasterIsShownForReadingOnlyUntilItIsHeard() throws JsonFault {
        FakePeer master = kit.peer();
        master.ask(promising("b-a", 0));
        kit.peer().ask(register("b-b", 0, T));

        kit.run(Duration.ofMillis(5_500));
        assertThat(shown()).isEqualTo("b-a 4 {0=b-a-0:10911}, b-b 6 {0=b-b-0:10911}");
        master.ask(broker(RequestCodes.BROKER_HEARTBEAT, "b-a", 0));
        assertThat(shown()).isEqualTo("b-a 6 {0=b-a-0:10911}, b-b 6 {0=b-b-0:10911}");
        kit.run(Duration.ofMillis(10_500));
        assertThat(shown()).isEqualTo("b-b 6 {0=b-b-0:10911}");
    }

    /// An official consumer reads from any address when there is no master's.
    @Test
    void theLivingFollowerIsInTheRouteWhileItsMasterIsSuspectAndWhenItIsGone() throws JsonFault {
        kit.peer().ask(promising("b-a", 0));
        FakePeer follower = kit.peer();
        follower.ask(promising("b-a", 1));

        for (int second = 0; second < 7; second++) {
            kit.run(Duration.ofSeconds(1));
            follower.ask(broker(RequestCodes.BROKER_HEARTBEAT, "b-a", 1));
        }
        assertThat(shown()).isEqualTo("b-a 4 {0=b-a-0:10911, 1=b-a-1:10911}");
        for (int second = 7; second < 11; second++) {
            kit.run(Duration.ofSeconds(1));
            follower.ask(broker(RequestCodes.BROKER_HEARTBEAT, "b-a", 1));
        }
        assertThat(shown()).isEqualTo("b-a 6 {1=b-a-1:10911}");
    }

    @Test
    void aSuspectFollowerChangesNothingForWriters() throws JsonFault {
        FakePeer master = kit.peer();
        master.ask(promising("b-a", 0));
        kit.peer().ask(promising("b-a", 1));
        kit.run(Duration.ofSeconds(4));
        master.ask(broker(RequestCodes.BROKER_HEARTBEAT, "b-a", 0));
        kit.run(Duration.ofSeconds(3));

        assertThat(shown()).isEqualTo("b-a 6 {0=b-a-0:10911, 1=b-a-1:10911}");
        assertThat(fresh().heard())
                .hasToString("{b-a={0=Heard[millis=3000, suspect=false], 1=Heard[millis=7000, suspect=true]}}");
    }

    @Test
    void whoAsksIsToldWhenBrokersWereHeardAndForHowLongTheNameserverListens() throws JsonFault {
        kit.peer().ask(promising("b-a", 0));
        kit.run(Duration.ofSeconds(1));

        Command answer =
                client.ask(route("T").with(FieldNames.GANTRY_FRESHNESS, true).withVersion(Versions.V4_9_4 - 1));

        assertThat(answer.field(FieldNames.GANTRY_LISTENING_MILLIS)).isEqualTo("4000");
        FreshRoute fresh = FreshRoute.fromJson(Json.read(answer.body()));
        assertThat(fresh.route()).isEqualTo(route(client.ask(route("T"))));
        assertThat(fresh.heard()).hasToString("{b-a={0=Heard[millis=1000, suspect=false]}}");
        Command none = client.ask(route("U").with(FieldNames.GANTRY_FRESHNESS, true));
        assertThat(none.code()).isEqualTo(ResponseCodes.TOPIC_NOT_EXIST);
        assertThat(none.field(FieldNames.GANTRY_LISTENING_MILLIS)).isEqualTo("4000");
    }

    @Test
    void whoDoesNotAskSeesNoDifference() {
        kit.peer().ask(promising("b-a", 0));

        Command answer = client.ask(route("T"));

        assertThat(answer.fields()).isEmpty();
        assertThat(new String(answer.body(), StandardCharsets.UTF_8)).doesNotContain("gantry");
    }

    @Test
    void anUnknownTopicIsNoFactBeforeBrokersCouldBeHeard() {
        NameserverKit young = new NameserverKit(NameserverConfig.DEFAULT, Duration.ofMillis(2_500));

        Command early = young.peer().ask(route("T"));
        assertThat(early.code()).isEqualTo(ResponseCodes.SYSTEM_ERROR);
        assertThat(early.remark()).startsWith("this nameserver has just started, or stood still");
        young.run(Duration.ofMillis(500));
        assertThat(young.peer().ask(route("T")).code()).isEqualTo(ResponseCodes.TOPIC_NOT_EXIST);
    }

    @Test
    void aNameserverThatIsToldToWaitShowsNoRouteBefore() {
        NameserverConfig plain = NameserverConfig.DEFAULT;
        NameserverKit waiting = new NameserverKit(
                new NameserverConfig(
                        plain.routes(), false, true, false, true, plain.firstWords(), Duration.ofSeconds(45)),
                Duration.ZERO);
        waiting.peer().ask(register("b-a", 0, T));
        waiting.run(Duration.ofMillis(44_500));

        assertThat(waiting.peer().ask(route("T")).code()).isEqualTo(ResponseCodes.SYSTEM_ERROR);
        waiting.run(Duration.ofMillis(500));
        assertThat(waiting.peer().ask(route("T")).code()).isEqualTo(ResponseCodes.SUCCESS);
    }

    @Test
    void aNameserverWithItsBrokerInItKnowsWhatItDoesNotKnow() {
        NameserverKit young = new NameserverKit(NameserverConfig.DEFAULT.withItsBroker(), Duration.ZERO);

        assertThat(young.peer().ask(route("T")).code()).isEqualTo(ResponseCodes.TOPIC_NOT_EXIST);
    }

    /// R026, R027: what hangs with open connections, and comes back.
    @Test
    void aNameserverThatStoodStillLetsGoOfAllConnectionsAndForgetsNoBroker() throws JsonFault {
        FakePeer master = kit.peer();
        master.ask(promising("b-a", 0));
        kit.clock.advance(Duration.ofMinutes(10));

        Command atOnce = client.ask(route("T").with(FieldNames.GANTRY_FRESHNESS, true));
        assertThat(atOnce.field(FieldNames.GANTRY_LISTENING_MILLIS))
                .as("before its first tick")
                .isEqualTo("0");
        kit.node.tick();

        assertThat(kit.node.stalls()).isEqualTo(1);
        assertThat(client.link().closedWith()).isEqualTo("this nameserver stood still for 600000 ms");
        assertThat(master.link().closedWith()).isEqualTo("this nameserver stood still for 600000 ms");
        assertThat(kit.notices.take()).anyMatch(text -> text.contains("stood still for 600000 ms: nobody was heard"));
        master.hangUp();
        client.hangUp();
        FakePeer next = kit.peer();
        assertThat(next.ask(route("U")).code()).isEqualTo(ResponseCodes.SYSTEM_ERROR);
        FreshRoute fresh = fresh(next);
        assertThat(fresh.route().queues())
                .hasToString(
                        "[QueueLayout[brokerName=b-a, readQueues=4, writeQueues=4," + " permission=6, topicFlags=0]]");
        assertThat(fresh.heard()).hasToString("{b-a={0=Heard[millis=600000, suspect=false]}}");
        assertThat(next.link().closedWith()).isNull();
        kit.run(Duration.ofMillis(10_500));
        assertThat(next.ask(route("T")).code()).isEqualTo(ResponseCodes.TOPIC_NOT_EXIST);
    }

    /// What a broker sent before is read before its link ends.
    @Test
    void aLinkThatWasLetGoTakesNoBrokerWithItThatSpokeOnItStill() {
        FakePeer master = kit.peer();
        master.ask(promising("b-a", 0));
        kit.clock.advance(Duration.ofMinutes(1));
        kit.node.tick();
        master.say(promising("b-a", 0));

        master.hangUp();

        assertThat(kit.peer().ask(route("T")).code()).isEqualTo(ResponseCodes.SUCCESS);
    }

    private static Command promising(String name, long id) {
        return register(name, id, T).with(FieldNames.HEARTBEAT_TIMEOUT_MILLIS, 10_000);
    }

    private FreshRoute fresh() throws JsonFault {
        return fresh(client);
    }

    private static FreshRoute fresh(FakePeer peer) throws JsonFault {
        Command answer = peer.ask(route("T").with(FieldNames.GANTRY_FRESHNESS, true));
        return FreshRoute.fromJson(Json.read(answer.body()));
    }

    /// Broker, permission and addresses of the topic `T`.
    private String shown() throws JsonFault {
        var route = route(client.ask(route("T")));
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < route.queues().size(); i++) {
            text.append(i == 0 ? "" : ", ")
                    .append(route.queues().get(i).brokerName())
                    .append(' ')
                    .append(route.queues().get(i).permission())
                    .append(' ')
                    .append(route.brokers().get(i).addresses());
        }
        return text.toString();
    }
}
