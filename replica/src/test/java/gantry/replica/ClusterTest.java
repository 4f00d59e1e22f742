package gantry.replica;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.replica.rig.Cluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Many clusters from many seeds: no promise is broken, and all is well in time once the faults end.
///
/// `-Dcluster.seeds=20000` for more, `-Dcluster.seed=N` for the one that failed.
class ClusterTest {
    private static final int SEEDS = Integer.getInteger("cluster.seeds", 300);
    private static final int STEPS = 1_500;

    /// Where one was wrong once: 46, a member came again without its disk while it was waited for, and what it had
    /// acknowledged before was still counted.
    @ParameterizedTest
    @ValueSource(longs = {46})
    void noPromiseIsBrokenWhereOneWas(long seed) {
        new Cluster(seed).run(STEPS);
    }

    @Test
    void noPromiseIsBrokenAndEverythingHealsInTime() {
        long only = Long.getLong("cluster.seed", -1);
        long first = only < 0 ? 0 : only;
        long cuts = 0;
        long damaged = 0;
        long silences = 0;
        long restarts = 0;
        long unions = 0;
        long refusedSends = 0;
        long[] copying = new long[6];
        for (long seed = first; seed < (only < 0 ? SEEDS : only + 1); seed++) {
            Cluster cluster = new Cluster(seed);
            try {
                cluster.run(STEPS);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("replay with -Dcluster.seed=" + seed + ": " + e.getMessage(), e);
            }
            cluster.total();
            cuts += cluster.cuts;
            damaged += cluster.damaged;
            silences += cluster.silences;
            restarts += cluster.restarts;
            unions += cluster.waitsForUnion;
            refusedSends += cluster.refusedSends;
            copying[0] += cluster.copies;
            copying[1] += cluster.goneOn;
            copying[2] += cluster.noRooms;
            copying[3] += cluster.keptOld;
            copying[4] += cluster.crashedCopies;
            copying[5] += cluster.crashedSwitches;
        }
        if (only < 0) {
            assertThat(new long[] {cuts, damaged, silences, restarts, unions, refusedSends})
                    .as("cuts, damaged frames, silences, restarts, unions, refused sends all happened")
                    .doesNotContain(0L);
            assertThat(copying)
                    .as("copies, resumed, refused for room, old logs kept, crashes in a copy, in a switch all happened")
                    .doesNotContain(0L);
        }
    }
}
