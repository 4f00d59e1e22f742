package gantry.sim.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/// Shows that no application with our client notices more than a moment of what happens to nameservers and brokers, as
/// long as one of each is well.
///
/// `-Droutes.seed=N` runs that seed only, `-Dsim.trace=true` prints every event, `-Droutes.seeds=N` runs more or fewer.
class RoutesHouseTest {
    private static final int SEEDS = 500;
    private static final boolean TRACE = Boolean.getBoolean("sim.trace");

    @SuppressWarnings("ClosingStandardOutputStreams") // the house is closed, not the stream
    private static RoutesHouse.Outcome run(long seed) {
        try (RoutesHouse house = new RoutesHouse(seed, TRACE ? System.out::println : null)) {
            return house.run();
        }
    }

    private static String replayOf(long seed) {
        return "./gantry test -pl sim -am -Dtest=RoutesHouseTest -Dsurefire.failIfNoSpecifiedTests=false -Droutes.seed="
                + seed + " -Dsim.trace=true";
    }

    @Test
    void noSendFailsOrTakesLongWhileANameserverAndABrokerAreWell() {
        Long only = Long.getLong("routes.seed");
        long first = only == null ? 1 : only;
        long count = only == null ? Long.getLong("routes.seeds", SEEDS) : 1;
        List<RoutesHouse.Outcome> outcomes = Seeds.run(first, count, RoutesHouseTest::run, RoutesHouseTest::replayOf);
        if (count >= SEEDS) {
            assertThat(outcomes.stream()
                            .mapToLong(RoutesHouse.Outcome::confirmed)
                            .sum())
                    .isGreaterThan(100_000);
            assertThat(outcomes).filteredOn(o -> o.slowestMillis() > 500).hasSizeGreaterThan(50);
            assertThat(outcomes).filteredOn(o -> o.nameserverPauses() > 0).hasSizeGreaterThan(50);
            assertThat(outcomes).filteredOn(o -> o.brokerPauses() > 0).hasSizeGreaterThan(50);
        }
    }

    @Test
    void oneSeedRunTwiceIsTheSameRun() {
        for (long seed = 1; seed <= 3; seed++) {
            assertThat(run(seed)).as("seed " + seed).isEqualTo(run(seed));
        }
    }
}
