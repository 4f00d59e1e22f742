package gantry.broker;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.base.Notices;
import gantry.broker.facts.Fact;
import gantry.broker.facts.StateDigest;
import gantry.broker.replica.StateComparison;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What a follower says of its leader's word about the state.
class StateCheckTest {
    private static final Duration EVERY = Duration.ofHours(1);
    private static final StateDigest RIGHT = new StateDigest("a", "b", "c", "d");
    private static final StateDigest WRONG = new StateDigest("a", "x", "y", "d");

    private final BrokerKit.HandClock clock = new BrokerKit.HandClock();
    private final List<String> told = new ArrayList<>();
    private final StateCheck check =
            new StateCheck(EVERY, clock, (Notices.Level level, String text) -> told.add(level + " " + text));

    private void point(long point, StateDigest here, StateDigest there) {
        check.took(new StateDigest.At(point, 1_000 + point, here));
        check.told(new Fact.StateTold(point, there));
    }

    @Test
    void sameStateIsSaidWithItsPlace() {
        point(5, RIGHT, RIGHT);
        assertThat(check.seen())
                .returns(StateComparison.Outcome.SAME, StateComparison::outcome)
                .returns(1_005L, StateComparison::logOffset)
                .returns(false, StateComparison::differs);
        assertThat(told).isEmpty();
    }

    /// A member that began behind the point has none of it.
    @Test
    void ofAPointThatWasNotTakenHereNothingIsSaid() {
        check.told(new Fact.StateTold(5, WRONG));
        assertThat(check.seen()).isEqualTo(StateComparison.NONE);
        check.took(new StateDigest.At(9, 1_009, RIGHT));
        check.told(new Fact.StateTold(5, WRONG));
        assertThat(check.seen()).isEqualTo(StateComparison.NONE);
    }

    @Test
    void differenceIsNamedWithItsPartsAndItsBeginUntilItIsOver() {
        point(5, RIGHT, RIGHT);
        point(9, WRONG, RIGHT);
        point(12, WRONG, RIGHT);
        assertThat(check.seen())
                .returns(true, StateComparison::differs)
                .returns(List.of("groups", "offsets"), StateComparison::parts)
                .returns(1_012L, StateComparison::logOffset)
                .returns(1_009L, StateComparison::firstAt)
                .returns(1_005L, StateComparison::sameAt);
        assertThat(told)
                .singleElement()
                .asString()
                .startsWith("ALARM State differs: the groups, offsets of this slave")
                .contains("since log offset 1009", "the same at 1005", "empty folder");
        point(15, RIGHT, RIGHT);
        assertThat(check.seen().differs()).isFalse();
        assertThat(told).hasSize(2).last().asString().startsWith("OVER ");
    }

    private void isLateAfter(Duration time, String why) {
        check.tick(true);
        clock.advance(time.minusSeconds(1));
        check.tick(true);
        assertThat(check.seen().isLate()).isFalse();
        clock.advance(Duration.ofSeconds(1));
        check.tick(true);
        check.tick(true);
        assertThat(check.seen().missing()).contains("For " + time.toMinutes() + " minutes it was not compared", why);
        assertThat(told)
                .filteredOn(text -> text.startsWith("ALARM"))
                .singleElement()
                .asString()
                .contains(why);
    }

    @Test
    void leaderThatPutsNoPointIntoTheLogIsNamed() {
        check.tick(true);
        isLateAfter(EVERY.plus(StateComparison.LATE), "no state point");
        point(5, RIGHT, RIGHT);
        assertThat(check.seen())
                .returns(StateComparison.Outcome.SAME, StateComparison::outcome)
                .returns(false, StateComparison::isLate);
        assertThat(told).last().asString().startsWith("OVER ");
        told.clear();
        isLateAfter(EVERY.plus(StateComparison.LATE), "no state point");
        assertThat(check.seen().logOffset()).isEqualTo(1_005);
    }

    @Test
    void pointThatIsNeverToldIsNamed() {
        check.tick(true);
        check.reached();
        check.took(new StateDigest.At(5, 1_005, RIGHT));
        isLateAfter(StateComparison.LATE, "its master has not told its own");
        check.told(new Fact.StateTold(5, RIGHT));
        assertThat(check.seen().isLate()).isFalse();
    }

    @Test
    void digestThatIsNeverMadeHereIsNamed() {
        check.tick(true);
        check.reached();
        isLateAfter(StateComparison.LATE, "a digest of this slave's own state");
    }

    /// That has a name of its own, and whoever comes back begins anew.
    @Test
    void whileNotInSyncNothingIsLate() {
        check.tick(true);
        check.reached();
        check.took(new StateDigest.At(5, 1_005, RIGHT));
        for (int hour = 0; hour < 5; hour++) {
            check.tick(false);
            clock.advance(EVERY);
        }
        check.tick(true);
        clock.advance(StateComparison.LATE);
        check.tick(true);
        assertThat(check.seen()).isEqualTo(StateComparison.NONE);
        assertThat(told).isEmpty();
        clock.advance(EVERY);
        check.tick(true);
        assertThat(check.seen().isLate()).isTrue();
        check.tick(false);
        assertThat(check.seen()).isEqualTo(StateComparison.NONE);
    }

    @Test
    void alarmComesOnceAMinuteAtMost() {
        for (int second = 0; second <= 120; second++) {
            point(second, WRONG, RIGHT);
            clock.advance(Duration.ofSeconds(1));
        }
        assertThat(told).hasSize(3).allMatch(text -> text.contains("the first place that was compared"));
    }
}
