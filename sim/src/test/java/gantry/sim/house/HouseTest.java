package gantry.sim.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Shows that P1, P2 and P3 hold under every fault that a plan can hold, and that the house lives on afterwards.
///
/// `-Dsim.seed=N` runs that seed only, `-Dsim.trace=true` prints every event, `-Dsim.seeds=N` runs more or fewer.
class HouseTest {
    private static final int SEEDS = 200;
    private static final boolean TRACE = Boolean.getBoolean("sim.trace");

    @SuppressWarnings("ClosingStandardOutputStreams") // the house is closed, not the stream
    private static House.Outcome run(long seed) {
        try (House house = new House(seed, TRACE ? System.out::println : null)) {
            return house.run();
        }
    }

    private static String replayOf(long seed) {
        return "./gantry test -pl sim -am -Dtest=HouseTest -Dsurefire.failIfNoSpecifiedTests=false -Dsim.seed=" + seed
                + " -Dsim.trace=true";
    }

    @Test
    void everyPromiseIsKeptWhateverFateDoes() {
        Long only = Long.getLong("sim.seed");
        long first = only == null ? 1 : only;
        long count = only == null ? Long.getLong("sim.seeds", SEEDS) : 1;
        List<House.Outcome> outcomes = Seeds.run(first, count, HouseTest::run, HouseTest::replayOf);
        if (count >= SEEDS) {
            assertThatRarePathsWereTaken(outcomes);
        }
    }

    /// A simulation in which nothing happens keeps every promise.
    private static void assertThatRarePathsWereTaken(List<House.Outcome> outcomes) {
        assertThat(outcomes).filteredOn(o -> o.brokerStarts() > 5).hasSizeGreaterThan(20);
        assertThat(outcomes).filteredOn(o -> o.lost() > 0).hasSizeGreaterThan(3);
        assertThat(outcomes).filteredOn(o -> o.refusedStarts() > 0).hasSizeGreaterThan(1);
        assertThat(outcomes).filteredOn(o -> o.fenced() > 0).hasSizeGreaterThan(3);
        assertThat(outcomes).filteredOn(o -> o.commits() > 20).hasSizeGreaterThan(50);
        assertThat(outcomes.stream().mapToLong(House.Outcome::acknowledged).sum())
                .isGreaterThan(20_000);
        assertThat(outcomes.stream().mapToLong(House.Outcome::seen).sum()).isGreaterThan(40_000);
    }

    @Test
    void oneSeedRunTwiceIsTheSameRun() {
        for (long seed = 1; seed <= 5; seed++) {
            assertThat(run(seed)).as("seed " + seed).isEqualTo(run(seed));
        }
    }

    /// Another process has other identity hashes, and its `Set.of` another order.
    @Test
    void oneSeedRunInAnotherProcessIsTheSameRun() throws IOException, InterruptedException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        Process other = new ProcessBuilder(
                        java,
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "gantry.sim.house.Replay",
                        "1",
                        "3")
                .redirectErrorStream(true)
                .start();
        String said = new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(other.waitFor()).as(said).isZero();
        for (long seed = 1; seed <= 3; seed++) {
            assertThat(said).contains("seed " + seed + ": " + run(seed));
        }
    }
}
