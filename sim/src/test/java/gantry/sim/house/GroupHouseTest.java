package gantry.sim.house;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.broker.replica.StateComparison;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Shows that a replica group keeps P1 to P4 under kills, losses of power, partitions, silence and slow disks, and
/// that its members are equal afterwards.
///
/// `-Dgroup.seed=N` runs that seed only, `-Dsim.trace=true` prints every event, `-Dgroup.seeds=N` runs more or fewer.
class GroupHouseTest {
    private static final int SEEDS = 1_000;
    private static final boolean TRACE = Boolean.getBoolean("sim.trace");

    @SuppressWarnings("ClosingStandardOutputStreams") // the house is closed, not the stream
    private static GroupHouse.Outcome run(long seed) {
        try (GroupHouse house = new GroupHouse(seed, TRACE ? System.out::println : null)) {
            return house.run();
        }
    }

    @Test
    void membersAreEqualWhateverFateDoes() {
        Long only = Long.getLong("group.seed");
        long first = only == null ? 1 : only;
        long count = only == null ? Long.getLong("group.seeds", SEEDS) : 1;
        List<GroupHouse.Outcome> outcomes = Seeds.run(
                first,
                count,
                GroupHouseTest::run,
                seed -> "./gantry test -pl sim -am -Dtest=GroupHouseTest -Dsurefire.failIfNoSpecifiedTests=false"
                        + " -Dgroup.seed=" + seed + " -Dsim.trace=true");
        if (count >= SEEDS) {
            assertThat(outcomes).filteredOn(each -> each.everInSync() > 5).hasSizeGreaterThan((int) count / 2);
            assertThat(outcomes.stream()
                            .mapToLong(GroupHouse.Outcome::acknowledged)
                            .sum())
                    .isGreaterThan(50 * count);
            assertThat(outcomes.stream().mapToInt(GroupHouse.Outcome::copies).sum())
                    .as("copies of a leader's log that took the place of a follower's")
                    .isGreaterThan((int) count / 3);
            assertThat(outcomes.stream().mapToInt(GroupHouse.Outcome::deletions).sum())
                    .as("deletions of a topic that is sent to")
                    .isGreaterThan((int) count);
            assertThat(outcomes.stream().mapToInt(GroupHouse.Outcome::mended).sum())
                    .as("bits that turned over on one member's disk and were fetched again from another")
                    .isGreaterThan((int) count / 8);
        }
        if (count >= 10) {
            assertThat(outcomes.stream().mapToInt(GroupHouse.Outcome::states).sum())
                    .as("places at which a member's state was compared with its leader's, and was the same")
                    .isGreaterThan(3 * (int) count);
        }
    }

    @Test
    @SuppressWarnings("ClosingStandardOutputStreams") // the house is closed, not the stream
    void stateThatIsNotTheLeadersIsNamedByItsFollower() {
        for (long seed = 1; seed <= 5; seed++) {
            try (GroupHouse house = new GroupHouse(seed, TRACE ? System.out::println : null)) {
                StateComparison seen = house.falsified();
                assertThat(seen.parts()).as("seed %d", seed).containsExactly("topics");
                assertThat(seen.firstAt()).as("seed %d", seed).isPositive().isLessThanOrEqualTo(seen.logOffset());
            }
        }
    }

    @Test
    void oneSeedRunTwiceIsTheSameRun() {
        for (long seed = 1; seed <= 3; seed++) {
            assertThat(run(seed)).as("seed " + seed).isEqualTo(run(seed));
        }
    }
}
