package gantry.sim.contract;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.base.Clock;
import org.junit.jupiter.api.Test;

/// Shows what every `Clock` does.
abstract class ClockContract {
    private static final long YEAR_2020_MILLIS = 1_577_836_800_000L;

    abstract Bed bed();

    abstract Clock clock();

    @Test
    void nanosNeverGoBackAndMoveAsTimePasses() {
        long first = clock().nanos();
        for (int i = 0; i < 1000; i++) {
            long next = clock().nanos();
            assertThat(next - first).isNotNegative();
        }
        bed().settle();
        assertThat(clock().nanos() - first).isGreaterThan(50_000_000L);
    }

    @Test
    void wallTimeIsOfThisCenturyAndMovesAsTimePasses() {
        long first = clock().wallMillis();

        bed().settle();

        assertThat(first).isGreaterThan(YEAR_2020_MILLIS);
        assertThat(clock().wallMillis()).isGreaterThan(first);
    }
}
