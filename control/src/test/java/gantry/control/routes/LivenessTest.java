package gantry.control.routes;

import static gantry.base.Notices.Level.INFO;
import static gantry.base.Notices.Level.WARN;
import static org.assertj.core.api.Assertions.assertThat;

import gantry.control.routes.RouteEffect.CloseLink;
import gantry.control.routes.RouteEffect.Notice;
import gantry.control.routes.RouteEffect.TellMinimum;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Who leaves the table, when, and who is told.
final class LivenessTest {
    private final RouteTable table = new RouteTable(new RouteRules(Duration.ofMinutes(2), false, true, 10, 100));
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
                .containsExactly(new Notice(
                        WARN, "this nameserver stood still for 600000 ms; brokers are given that time again"));
        assertThat(names()).containsExactly("b-a");
        run(3);
        assertThat(names()).containsExactly("b-a");
        run(1);
        assertThat(names()).isEmpty();
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

        table.closed(3);
        assertThat(names()).containsExactly("b-a", "b-b", "b-c");
        table.closed(1);
        assertThat(names()).containsExactly("b-c");
    }

    /// R017.
    @Test
    void theOldLinkOfABrokerThatCameBackTakesNothing() {
        register(broker, 1);
        register(broker, 2);

        table.closed(1);

        assertThat(names()).containsExactly("b-a");
        table.closed(2);
        assertThat(names()).isEmpty();
    }

    @Test
    void aBrokerThatIsHeardOnANewLinkOutlivesItsOldOne() {
        register(broker, 1);
        table.heard(broker.key(), 2, nanos());

        table.closed(1);
        assertThat(names()).containsExactly("b-a");
        table.closed(2);
        assertThat(names()).isEmpty();
    }

    @Test
    void aStrangerThatSpeaksForABrokerAndLeavesTakesNothing() {
        register(broker, 1);
        table.heard(broker.key(), 9, nanos());

        table.closed(9);
        assertThat(names()).containsExactly("b-a");
        table.closed(1);
        assertThat(names()).isEmpty();
    }

    @Test
    void aBrokerUnregistersOnALinkThatItWasHeardOn() {
        register(broker, 1);

        assertThat(table.unregister(broker.key(), 7))
                .isEqualTo("broker b-a:0 (b-a:10911) is registered over another connection");
        assertThat(names()).containsExactly("b-a");
        assertThat(table.unregister(broker.key(), 1)).isNull();
        assertThat(names()).isEmpty();
        assertThat(table.unregister(broker.key(), 1)).as("once more").isNull();
    }

    @Test
    void theLastMemberTakesTheTopicsWithItAndAnyOtherLeavesThem() {
        register(broker, 1);
        register(Broker.of("b-a", 1, "follower:1"), 2);

        table.closed(1);
        assertThat(table.image().topics()).containsKey("T");
        table.closed(2);
        assertThat(table.image().topics()).isEmpty();
        assertThat(table.image().clusters()).isEmpty();
    }

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

        table.closed(1);

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
