package gantry.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/// Says when a round is worth its cost.
class RoundRuleTest {
    private static final long SECOND = 1_000_000_000L;

    private final RoundRule rule = new RoundRule(Duration.ofSeconds(10), 1_000_000);

    @Test
    void fewQueuesAreBroughtToTheFilesEveryInterval() {
        assertThat(rule.isDue(9 * SECOND, 10, 1, 10)).isFalse();
        assertThat(rule.isDue(10 * SECOND, 10, 1, 10)).isTrue();
    }

    @Test
    void manyQueuesWaitUntilMuchLogHasGatheredButNoLongerThanAMinute() {
        assertThat(rule.isDue(30 * SECOND, 50_000, 1 << 20, 50_000)).isFalse();
        assertThat(rule.isDue(30 * SECOND, 50_000, RoundRule.MUCH_LOG_BYTES, 50_000))
                .isTrue();
        assertThat(rule.isDue(60 * SECOND, 50_000, 1 << 20, 50_000)).isTrue();
    }

    @Test
    void entriesThatFillTheMemoryDoNotWait() {
        assertThat(rule.isDue(SECOND, 50_000, 1 << 20, 1_000_000)).isTrue();
    }
}
