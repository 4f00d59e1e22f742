package gantry.broker.replica;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// Shows that a member's lag is the age and the number of what it lacks, and unknown when that is too long ago.
class LagClockTest {
    private static final long SECOND = 1_000_000_000L;

    @Test
    void lagIsHowLongTheLogHasReachedFurther() {
        LagClock clock = new LagClock();
        for (int second = 0; second <= 10; second++) {
            clock.sample(second * 100L, second * 7L, second * SECOND);
        }
        assertThat(clock.behindMillis(1000, 1000, 12 * SECOND)).hasValue(0);
        assertThat(clock.behindMillis(700, 1000, 12 * SECOND)).hasValue(4000);
        assertThat(clock.behindMillis(750, 1000, 12 * SECOND)).hasValue(4000);
    }

    @Test
    void lagOlderThanTheMemoryIsUnknown() {
        LagClock clock = new LagClock();
        for (int second = 0; second <= 5_000; second++) {
            clock.sample(second * 100L, second * 7L, second * SECOND);
        }
        assertThat(clock.behindMillis(100, 500_000, 5_000 * SECOND)).isEmpty();
        assertThat(clock.behindMillis(499_000, 500_000, 5_000 * SECOND)).hasValue(9_000);
    }

    @Test
    void missingMessagesAreCountedAtSamplesAndEstimatedBetweenThem() {
        LagClock clock = new LagClock();
        for (int second = 0; second <= 10; second++) {
            clock.sample(second * 100L, second * 7L, second * SECOND);
        }
        assertThat(clock.behindMessages(700, 1000, 70)).hasValue(21);
        assertThat(clock.behindMessages(750, 1000, 70)).hasValue(14 + 4);
        assertThat(clock.behindMessages(799, 1000, 70)).hasValue(14 + 1);
        assertThat(clock.behindMessages(1000, 1200, 75))
                .as("since the last sample")
                .hasValue(5);
        assertThat(clock.behindMessages(1100, 1200, 75)).hasValue(3);
    }

    /// R004: also when a member claims more than there is.
    @Test
    void missingMessagesAreNeverNegativeAndUnknownBelowWhatIsRemembered() {
        LagClock clock = new LagClock();
        assertThat(clock.behindMessages(0, 1000, 70))
                .as("nothing was sampled yet")
                .isEmpty();
        clock.sample(500, 35, 0);
        assertThat(clock.behindMessages(499, 1000, 70)).isEmpty();
        assertThat(clock.behindMessages(1000, 1000, 70)).hasValue(0);
        assertThat(clock.behindMessages(Long.MAX_VALUE, 1000, 70)).hasValue(0);
        assertThat(clock.behindMessages(500, 1000, 30))
                .as("the count went back")
                .hasValue(0);
    }
}
