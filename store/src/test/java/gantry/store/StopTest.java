package gantry.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Shows that a stop asks the disk a few times, however many queues there are, and that a disk that hangs
/// cannot hold it.
class StopTest {
    private static final int QUEUES = 2000;

    private final FaultDisk disk = new FaultDisk();

    private static void sendToMany(Rig rig, int queues) {
        for (int i = 0; i < queues; i++) {
            rig.send(rig.queue("topic" + i / 8, i % 8), "m" + i);
        }
    }

    @Test
    void stopWithManyTouchedQueueFilesWaitsForTheDiskAFewTimesOnly() throws OpenFailed {
        Rig rig = new Rig(disk, StoreConfig.DEFAULT.withSegmentBytes(8 << 20).withQueueFileBytes(20));
        sendToMany(rig, QUEUES);
        int alone = disk.aloneSyncs();
        int joined = disk.joinedSyncs();

        assertThat(rig.store.close()).isTrue();

        assertThat(disk.aloneSyncs() - alone).isZero();
        assertThat(disk.joinedSyncs() - joined).isBetween(2, 5);
        assertThat(disk.files()).doesNotContain("abort");
    }

    @Test
    void checkpointRoundWaitsForTheDiskAFewTimesOnly() throws OpenFailed {
        Rig rig = new Rig(disk, StoreConfig.DEFAULT.withSegmentBytes(8 << 20).withQueueFileBytes(20));
        sendToMany(rig, QUEUES);
        int alone = disk.aloneSyncs();
        rig.pass(600);

        rig.pass(10_000);

        assertThat(disk.aloneSyncs() - alone).as("the commit log's own").isLessThan(3);
        assertThat(disk.files()).contains("checkpoint");
    }

    /// Ten thousand topics have more new queue files than a stop has time for.
    @Test
    void queueFilesThatAStopHasNoTimeForAreLeftToTheNextStart() throws OpenFailed {
        Rig rig = new Rig(disk, Rig.TINY);
        sendToMany(rig, 600);
        rig.ticksPerRead = Duration.ofMillis(2500).toNanos();

        assertThat(rig.store.close()).as("every message is on disk").isTrue();

        assertThat(rig.notices).singleElement().asString().contains("INFO", "leaves", "next start");
        assertThat(disk.files()).contains("abort");
        Rig next = new Rig(disk.afterPowerLoss(new SplittableRandom(1)), Rig.TINY);
        for (int i = 0; i < 600; i++) {
            assertThat(next.read(next.queue("topic" + i / 8, i % 8), 0)).containsExactly("m" + i);
        }
        assertThat(next.store.close()).isTrue();
    }

    @Test
    void stopOnADiskThatHangsEndsInTimeSaysSoAndTheNextStartRecovers() throws OpenFailed {
        Rig rig = new Rig(disk, Rig.TINY);
        sendToMany(rig, 20);
        rig.pass(100);
        disk.stall(Duration.ofSeconds(60));

        assertThat(rig.store.close()).isFalse();

        assertThat(rig.notices).singleElement().asString().contains("ALARM", "not closed cleanly", "not come back");
        assertThat(disk.files()).contains("abort");
        disk.stall(Duration.ZERO);
        Rig next = new Rig(disk.afterKill(), Rig.TINY);
        assertThat(next.read(next.queue("topic1", 3), 0)).containsExactly("m11");
        assertThat(next.store.close()).isTrue();
    }
}
