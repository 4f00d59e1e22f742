package gantry.control.routes;

import static gantry.base.Notices.Level.INFO;
import static gantry.base.Notices.Level.WARN;
import static org.assertj.core.api.Assertions.assertThat;

import gantry.control.routes.RouteEffect.CloseLink;
import gantry.control.routes.RouteEffect.LetGo;
import gantry.control.routes.RouteEffect.Notice;
import gantry.control.routes.RouteEffect.TellMinimum;
import gantry.wire.body.BrokerAddresses;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// Who leaves the table, when, and who is told.
final class LivenessTest {
    private final RouteTable table = new RouteTable(new RouteRules(Duration.ofMinutes(2), false, true, 10, 100), 0);
    private final Broker broker = Broker.master("b-a");
    private long seconds;

    @Test
    void aBrokerThatPromisesNothingExpiresAfterTwoMinutes() {
        register(broker, 1);

        run(120);
        assertThat(names()).containsExactly("b-a");
        run(1);
        assertThat(names()).isEmpty();
        assertThat(table.image().topics()).isEmpty();
        assertThat(table.takeEffects())
                .containsExactly(
                        new Notice(INFO, "broker b-a:0 (b-a:10911) of cluster C registered"),
                        new Notice(WARN, "broker b-a:0 (b-a:10911) was not heard for 121 s"),
                        new CloseLink(1, "broker b-a:0 (b-a:10911) was not heard for 121 s"));
    }

    @Test
    void aBrokerExpiresByItsOwnPromise() {
        register(broker.promising(Duration.ofSeconds(5)), 1);
        register(Broker.master("b-b"), 2);

        run(6);

        assertThat(names()).containsExactly("b-b");
    }

    @Test
    void aBrokerThatIsHeardLivesOn() {
        register(broker.promising(Duration.ofSeconds(5)), 1);
        for (int i = 0; i < 10; i++) {
            run(4);
            assertThat(table.heard(broker.key(), 1, nanos())).isTrue();
        }

        assertThat(names()).containsExactly("b-a");
        assertThat(table.heard(Broker.master("b-b").key(), 1, nanos())).isFalse();
    }

    @Test
    void aRegistrationAgainCountsAsHeard() {
        register(broker, 1);
        run(100);
        register(broker, 1);
        run(100);

        assertThat(names()).containsExactly("b-a");
    }

    @Test
    void timeInWhichTheNameserverStoodStillCountsForNobody() {
        register(broker.promising(Duration.ofSeconds(5)), 1);
        run(2);
        table.takeEffects();

        seconds += 600;
        table.tick(nanos());
        assertThat(table.takeEffects())
                .containsExactly(
                        new Notice(
                                WARN,
                                "this nameserver stood still for 600000 ms: nobody was heard or answered. All connections"
                                        + " are closed, so that clients ask elsewhere and brokers register again; brokers"
                                        + " keep their place and their promise begins anew"),
                        new LetGo("this nameserver stood still for 600000 ms"));
        assertThat(names()).containsExactly("b-a");
        assertThat(isSuspect("b-a")).isFalse();
        run(5);
        assertThat(names()).containsExactly("b-a");
        run(1);
        assertThat(names()).isEmpty();
    }

    /// R026: links that others gave up while we stood still end before our next tick.
    @Test
    void linksThatEndedWhileTheNameserverStoodStillTakeNothing() {
        register(broker.promising(Duration.ofSeconds(10)), 1);
        register(Broker.of("b-a", 1, "follower:1"), 2);
        run(1);

        seconds += 60;
        table.closed(1, nanos());
        table.closed(2, nanos());

        assertThat(table.image().broker("b-a")).hasToString(addressesOfBoth());
        assertThat(table.image().listeningNanos()).isEqualTo(nanos());
        table.register(broker.promising(Duration.ofSeconds(10)).registration(), 3, nanos());
        table.closed(3, nanos());
        assertThat(addresses(table.image()).hasMaster()).isFalse();
    }

    private static BrokerAddresses addresses(RouteImage image) {
        return Objects.requireNonNull(image.broker("b-a"));
    }

    private String addressesOfBoth() {
        return "BrokerAddresses[cluster=C, brokerName=b-a, addresses={0=b-a:10911, 1=follower:1}, actingMaster=false,"
                + " zone=null]";
    }

    /// A frame that came before we stood still may be read after.
    @Test
    void aBrokerThatSpeaksOnALinkThatIsLetGoStaysForItsPromise() {
        run(1);
        seconds += 60;
        table.tick(nanos());
        register(broker.promising(Duration.ofSeconds(10)), 1);

        table.letGo(1);
        table.closed(1, nanos());
        assertThat(names()).containsExactly("b-a");
        run(11);
        assertThat(names()).isEmpty();
    }

    @Test
    void aBrokerThatBeatsIsSuspectAfterHalfOfItsPromiseAndBackWhenItIsHeard() {
        register(broker.promising(Duration.ofSeconds(10)), 1);
        run(5);
        assertThat(isSuspect("b-a")).isFalse();
        table.takeEffects();

        run(2);
        assertThat(isSuspect("b-a")).isTrue();
        assertThat(table.image().heard(addresses(table.image()), nanos()))
                .hasToString("{0=Heard[millis=7000, suspect=true]}");
        assertThat(names()).containsExactly("b-a");
        table.heard(broker.key(), 1, nanos());
        assertThat(isSuspect("b-a")).isFalse();
        assertThat(table.takeEffects())
                .as("told once")
                .containsExactly(
                        new Notice(
                                WARN,
                                "broker b-a:0 (b-a:10911) was not heard for 6000 ms and is suspect: until it is heard,"
                                        + " its queues are shown for reading only"),
                        new Notice(INFO, "broker b-a:0 (b-a:10911) is heard again after 7000 ms"));
    }

    @Test
    void aRegistrationBringsASuspectBack() {
        register(broker.promising(Duration.ofSeconds(10)), 1);
        run(7);
        register(broker.promising(Duration.ofSeconds(10)), 1);

        assertThat(isSuspect("b-a")).isFalse();
        run(7);
        assertThat(isSuspect("b-a")).isTrue();
        run(4);
        assertThat(names()).isEmpty();
    }

    @Test
    void brokersThatPromiseNothingOrMuchAreNeverSuspect() {
        register(broker, 1);
        register(Broker.master("b-b").promising(Duration.ofSeconds(31)), 2);
        run(29);
        assertThat(isSuspect("b-a")).isFalse();
        assertThat(isSuspect("b-b")).isFalse();
        run(90);

        assertThat(isSuspect("b-a")).isFalse();
    }

    @Test
    void aHeartbeatMakesNoNewImage() {
        register(broker.promising(Duration.ofSeconds(10)), 1);
        RouteImage before = table.image();
        run(1);
        table.heard(broker.key(), 1, nanos());
        run(1);

        assertThat(table.image()).isSameAs(before);
        assertThat(before.heard(addresses(before), nanos())).hasToString("{0=Heard[millis=1000, suspect=false]}");
    }

    private boolean isSuspect(String brokerName) {
        return table.image()
                .isMasterSuspect(Objects.requireNonNull(table.image().broker(brokerName)));
    }

    @Test
    void aDeadBrokerExpiresEvenWhenEveryTickIsLate() {
        Broker dead = broker.promising(Duration.ofSeconds(5));
        Broker alive = Broker.master("b-b").promising(Duration.ofSeconds(5));
        register(dead, 1);
        register(alive, 2);
        table.tick(nanos());
        for (int i = 0; i < 4; i++) {
            seconds += 7;
            table.tick(nanos());
            table.heard(alive.key(), 2, nanos());
        }

        assertThat(names()).containsExactly("b-b");
    }

    @Test
    void aClosedLinkTakesItsOwnBrokersOnly() {
        register(broker, 1);
        register(Broker.master("b-b"), 1);
        register(Broker.master("b-c"), 2);

        table.closed(3, nanos());
        assertThat(names()).containsExactly("b-a", "b-b", "b-c");
        table.closed(1, nanos());
        assertThat(names()).containsExactly("b-c");
    }

    /// R017.
    @Test
    void theOldLinkOfABrokerThatCameBackTakesNothing() {
        register(broker, 1);
        register(broker, 2);

        table.closed(1, nanos());

        assertThat(names()).containsExactly("b-a");
        table.closed(2, nanos());
        assertThat(names()).isEmpty();
    }

    @Test
    void aBrokerThatIsHeardOnANewLinkOutlivesItsOldOne() {
        register(broker, 1);
        table.heard(broker.key(), 2, nanos());

        table.closed(1, nanos());
        assertThat(names()).containsExactly("b-a");
        table.closed(2, nanos());
        assertThat(names()).isEmpty();
    }

    @Test
    void aStrangerThatSpeaksForABrokerAndLeavesTakesNothing() {
        register(broker, 1);
        table.heard(broker.key(), 9, nanos());

        table.closed(9, nanos());
        assertThat(names()).containsExactly("b-a");
        table.closed(1, nanos());
        assertThat(names()).isEmpty();
    }

    @Test
    void aBrokerUnregistersOnALinkThatItWasHeardOn() {
        register(broker, 1);

        assertThat(table.unregister(broker.key(), 7, nanos()))
                .isEqualTo("broker b-a:0 (b-a:10911) is registered over another connection");
        assertThat(names()).containsExactly("b-a");
        assertThat(table.unregister(broker.key(), 1, nanos())).isNull();
        assertThat(names()).isEmpty();
        assertThat(table.unregister(broker.key(), 1, nanos())).as("once more").isNull();
    }

    @Test
    void theLastMemberTakesTheTopicsWithItAndAnyOtherLeavesThem() {
        register(broker, 1);
        register(Broker.of("b-a", 1, "follower:1"), 2);

        table.closed(1, nanos());
        assertThat(table.image().topics()).containsKey("T");
        table.closed(2, nanos());
        assertThat(table.image().topics()).isEmpty();
        assertThat(table.image().clusters()).isEmpty();
    }

    /// R031: also when the expiry was due before the broker was heard.
    @Test
    void aRenewedBrokerIsNotRemovedByAnExpiryThatWasDue() {
        register(broker.promising(Duration.ofSeconds(5)), 1);
        seconds += 5;
        table.heard(broker.key(), 1, nanos() + 1);
        run(1);

        assertThat(names()).containsExactly("b-a");
    }

    @Test
    void membersAreToldWhenTheSmallestIdLeaves() {
        register(broker, 1);
        register(Broker.of("b-a", 1, "first:1"), 2);
        register(Broker.of("b-a", 2, "second:1"), 3);
        assertThat(told()).isEmpty();

        table.closed(1, nanos());

        assertThat(told())
                .containsExactly(
                        new TellMinimum(2, "b-a", 1, "first:1", "b-a:10911", "first:1-ha"),
                        new TellMinimum(3, "b-a", 1, "first:1", "b-a:10911", "first:1-ha"));
    }

    @Test
    void theOthersAreToldWhenASmallerIdComes() {
        register(Broker.of("b-a", 1, "first:1"), 2);
        register(broker, 1);

        assertThat(told()).containsExactly(new TellMinimum(2, "b-a", 0, "b-a:10911", null, "b-a:10911-ha"));
    }

    private void register(Broker each, long session) {
        table.register(each.registration(), session, nanos());
    }

    private List<TellMinimum> told() {
        return table.takeEffects().stream()
                .filter(effect -> effect instanceof TellMinimum)
                .map(effect -> (TellMinimum) effect)
                .toList();
    }

    private Iterable<String> names() {
        return table.image().brokers().keySet();
    }

    /// Time passes, a tick each second.
    private void run(int duration) {
        for (int i = 0; i < duration; i++) {
            seconds++;
            table.tick(nanos());
        }
    }

    private long nanos() {
        return Duration.ofSeconds(seconds).toNanos();
    }
}
