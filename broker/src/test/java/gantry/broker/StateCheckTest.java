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
    private static final StateDigest RIGHT = new StateDigest("a", "b", "c", "d");
    private static final StateDigest WRONG = new StateDigest("a", "x", "y", "d");

    private final BrokerKit.HandClock clock = new BrokerKit.HandClock();
    private final List<String> told = new ArrayList<>();
    private final StateCheck check =
            new StateCheck(clock, (Notices.Level level, String text) -> told.add(level + " " + text));

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

    @Test
    void alarmComesOnceAMinuteAtMost() {
        for (int second = 0; second <= 120; second++) {
            point(second, WRONG, RIGHT);
            clock.advance(Duration.ofSeconds(1));
        }
        assertThat(told).hasSize(3).allMatch(text -> text.contains("the first place that was compared"));
    }
}
