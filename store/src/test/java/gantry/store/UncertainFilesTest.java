package gantry.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Shows what becomes of commit-log files that were made on the spot, because the log grew faster than files could be
/// made ahead: their names and lengths are not certain until the work that waits behind them has run.
class UncertainFilesTest {
    private final FaultDisk disk = new FaultDisk();

    /// About three segments, all but the first made on the spot.
    private Rig growFast(StoreConfig config) throws OpenFailed {
        Rig rig = new Rig(disk, config);
        rig.offloadWaits = true;
        for (int i = 0; i < 24; i++) {
            rig.sendTagged(rig.queue("a", 0), "t", "m" + i + "-" + "x".repeat(300));
        }
        assertThat(disk.files()).contains("commitlog/" + Names.ofOffset(8192));
        return rig;
    }

    private static List<String> names(Rig rig) {
        return rig.read(rig.queue("a", 0), 0).stream()
                .map(body -> body.substring(0, body.indexOf('-')))
                .toList();
    }

    @Test
    void whatIsServedAfterAKillSurvivesTheNextPowerLoss() throws OpenFailed {
        StoreConfig config = Rig.TINY.withDurability(Durability.SYNCED);
        growFast(config);

        FaultDisk killed = disk.afterKill();
        Rig served = new Rig(killed, config);
        List<String> seen = names(served);
        assertThat(seen).hasSizeGreaterThan(20);

        for (int seed = 0; seed < 50; seed++) {
            Rig again = new Rig(killed.afterPowerLoss(new SplittableRandom(seed)), config);
            assertThat(names(again)).as("seed " + seed).isEqualTo(seen);
        }
    }

    @Test
    void filesThatPowerLossTookInTheMiddleOfTheUncertainPartEndTheLogAndDoNotKeepItShut() throws OpenFailed {
        growFast(Rig.TINY);

        int shorter = 0;
        for (int seed = 0; seed < 300; seed++) {
            Rig again = new Rig(disk.afterPowerLoss(new SplittableRandom(seed)), Rig.TINY);
            List<String> left = names(again);
            for (int i = 0; i < left.size(); i++) {
                assertThat(left.get(i)).as("seed " + seed).isEqualTo("m" + i);
            }
            shorter += left.size() < 24 ? 1 : 0;
            assertThat(again.send(again.queue("a", 0), "next").queueOffset(0)).isEqualTo(left.size());
        }
        assertThat(shorter).as("runs that lost something").isPositive();
    }
}
