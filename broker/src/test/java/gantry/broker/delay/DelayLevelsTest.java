package gantry.broker.delay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/// The table of delay levels.
class DelayLevelsTest {
    @Test
    void theDefaultHasApachesEighteenLevels() {
        assertThat(DelayLevels.DEFAULT.count()).isEqualTo(18);
        assertThat(DelayLevels.DEFAULT.millis(1)).isEqualTo(1_000);
        assertThat(DelayLevels.DEFAULT.millis(5)).isEqualTo(60_000);
        assertThat(DelayLevels.DEFAULT.millis(18)).isEqualTo(7_200_000);
    }

    @Test
    void aLevelAboveTheHighestCountsAsTheHighest() {
        assertThat(DelayLevels.parse("1s 2d").millis(99)).isEqualTo(2 * 86_400_000L);
    }

    @Test
    void aWrongPartIsQuoted() {
        assertThatThrownBy(() -> DelayLevels.parse("1s 5x")).hasMessageContaining("\"5x\"");
        assertThatThrownBy(() -> DelayLevels.parse("s")).hasMessageContaining("\"s\"");
    }
}
