package gantry.broker.replica;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// Shows that a member's lag in seconds is the age of what it lacks, and unknown when that is too long ago.
class LagClockTest {
    private static final long SECOND = 1_000_000_000L;

    @Test
    void lagIsHowLongTheLogHasReachedFurther() {
        LagClock clock = new LagClock();
        for (int second = 0; second <= 10; second++) {
            clock.sample(second * 100L, second * SECOND);
        }
        assertThat(clock.behindMillis(1000, 1000, 12 * SECOND)).hasValue(0);
        assertThat(clock.behindMillis(700, 1000, 12 * SECOND)).hasValue(4000);
        assertThat(clock.behindMillis(750, 1000, 12 * SECOND)).hasValue(4000);
    }

    @Test
    void lagOlderThanTheMemoryIsUnknown() {
        LagClock clock = new LagClock();
        for (int second = 0; second <= 5_000; second++) {
            clock.sample(second * 100L, second * SECOND);
        }
        assertThat(clock.behindMillis(100, 500_000, 5_000 * SECOND)).isEmpty();
        assertThat(clock.behindMillis(499_000, 500_000, 5_000 * SECOND)).hasValue(9_000);
    }
}
