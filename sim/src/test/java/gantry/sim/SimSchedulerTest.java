package gantry.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/// Shows that events happen in the order of time and asking, and that a seed decides everything.
class SimSchedulerTest {
    private final List<String> happened = new ArrayList<>();
    private final SimScheduler scheduler = new SimScheduler(7, null);
    private final Life life = new Life("a", 0);

    private void ask(long delay, String what) {
        scheduler.after(delay, life, what, () -> happened.add(what));
    }

    @Test
    void eventsHappenByTimeAndThenInTheOrderTheyWereAskedFor() {
        ask(20, "late");
        ask(10, "first");
        ask(10, "second");
        ask(0, "now");

        scheduler.runUntil(15);
        assertThat(happened).containsExactly("now", "first", "second");
        assertThat(scheduler.nanos()).isEqualTo(15);
        scheduler.runUntil(100);
        assertThat(happened).endsWith("late");
    }

    @Test
    void nothingHappensToAnEndedLife() {
        ask(10, "never");
        life.end();

        scheduler.runUntil(100);

        assertThat(happened).isEmpty();
    }

    @Test
    void pausedLifeDoesEverythingLaterInTheSameOrder() {
        ask(10, "a");
        ask(20, "b");
        ask(60, "c");
        life.pauseUntil(50);

        scheduler.runUntil(49);
        assertThat(happened).isEmpty();
        scheduler.runUntil(100);
        assertThat(happened).containsExactly("a", "b", "c");
    }

    @Test
    void brokenCheckAfterAnEventNamesTheEvent() {
        scheduler.checkAfterEveryEvent(() -> {
            if (happened.contains("bad")) {
                throw new SimFailure("P9 is broken");
            }
        });
        ask(1_000_000, "fine");
        ask(2_000_000, "bad");

        assertThatThrownBy(() -> scheduler.runUntil(10_000_000))
                .isInstanceOf(SimFailure.class)
                .hasMessage("P9 is broken, at 0.002000 s, event 2 (a#0: bad)");
    }

    @Test
    void escapedExceptionIsAFailureUnlessItsLifeEndedInTheMiddle() {
        scheduler.after(1, life, "ends", () -> {
            life.end();
            throw new IllegalStateException("the dead do not count");
        });
        scheduler.runUntil(10);

        scheduler.after(1, new Life("b", 0), "fails", () -> {
            throw new IllegalStateException("alive");
        });
        assertThatThrownBy(() -> scheduler.runUntil(20))
                .isInstanceOf(SimFailure.class)
                .hasMessageContaining("alive");
    }

    @Test
    void sameSeedGivesTheSameHashAndAnotherSeedAnother() {
        assertThat(hashOf(1)).isEqualTo(hashOf(1)).isNotEqualTo(hashOf(2));
    }

    private static long hashOf(long seed) {
        SimScheduler world = new SimScheduler(seed, null);
        Life someone = new Life("a", 0);
        SimOffload offload = new SimOffload(world, someone);
        RandomGenerator random = new SimEntropy(world, someone).fork("test");
        for (int i = 0; i < 50; i++) {
            offload.run(() -> world.mix(random.nextLong()));
        }
        world.runUntil(SimScheduler.SECOND);
        return world.hash();
    }

    @Test
    void moreDrawsFromOneStreamDoNotShiftAnother() {
        SimEntropy entropy = new SimEntropy(scheduler, life);
        long undisturbed =
                new SimEntropy(new SimScheduler(7, null), life).fork("b").nextLong();

        entropy.fork("a").nextLong();
        entropy.fork("a").nextLong();

        assertThat(entropy.fork("b").nextLong()).isEqualTo(undisturbed);
    }

    @Test
    void steppedWallClockLeavesNanosAlone() {
        SimClock clock = new SimClock(scheduler, Long.MAX_VALUE - 5);
        ask(10, "x");
        scheduler.runUntil(10);

        clock.stepWall(-5000);

        assertThat(clock.nanos()).isEqualTo(Long.MIN_VALUE + 4);
        assertThat(clock.wallMillis()).isEqualTo(SimClock.FIRST_WALL_MILLIS - 5000);
    }
}
