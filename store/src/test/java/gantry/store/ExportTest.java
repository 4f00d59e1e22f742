package gantry.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Shows that a small file is replaced in one step, and that the last good one stays.
class ExportTest {
    private static final FileId FILE = new FileId("config/topics.json");

    private final FaultDisk disk = new FaultDisk();

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void contentIsReplacedAndTheOldOneKept() throws DiskFailed {
        assertThat(Export.read(disk, FILE)).isNull();
        assertThat(Export.replace(disk, FILE, bytes("one")).isOk()).isTrue();
        assertThat(Export.readKept(disk, FILE)).isNull();
        assertThat(Export.replace(disk, FILE, bytes("second")).isOk()).isTrue();
        assertThat(Export.replace(disk, FILE, bytes("3")).isOk()).isTrue();

        assertThat(Export.read(disk, FILE)).isEqualTo(bytes("3"));
        assertThat(Export.readKept(disk, FILE)).isEqualTo(bytes("second"));
    }

    @Test
    void contentLargerThanABlockIsReadWhole() throws DiskFailed {
        byte[] large = new byte[200_000];
        new SplittableRandom(1).nextBytes(large);
        Export.replace(disk, FILE, large);

        assertThat(Export.read(disk, FILE)).isEqualTo(large);
    }

    @Test
    void lossOfPowerAtAnyMomentLeavesTheOldOrTheNewContent() throws DiskFailed {
        for (int seed = 0; seed < 50; seed++) {
            for (long k = 0; ; k++) {
                FaultDisk fresh = new FaultDisk();
                Export.replace(fresh, FILE, bytes("old"));
                fresh.cutPowerAt(k);
                try {
                    Export.replace(fresh, FILE, bytes("the new one"));
                } catch (FaultDisk.PowerCut cut) {
                    byte[] left = Export.read(fresh.afterPowerLoss(new SplittableRandom(seed)), FILE);
                    assertThat(left).isIn(bytes("old"), bytes("the new one"));
                    continue;
                }
                byte[] left = Export.read(fresh.afterPowerLoss(new SplittableRandom(seed)), FILE);
                assertThat(left).as("once it is done").isEqualTo(bytes("the new one"));
                break;
            }
        }
    }

    @Test
    void overwrittenFileIsThereAtEveryMoment() throws DiskFailed {
        for (int seed = 0; seed < 50; seed++) {
            for (long k = 0; ; k++) {
                FaultDisk fresh = new FaultDisk();
                Export.overwrite(fresh, FILE, bytes("old"));
                fresh.cutPowerAt(k);
                try {
                    Export.overwrite(fresh, FILE, bytes("the new one"));
                    break;
                } catch (FaultDisk.PowerCut cut) {
                    FaultDisk after = fresh.afterPowerLoss(new SplittableRandom(seed));
                    assertThat(after.files()).contains(FILE.path()).doesNotContain(FILE.path() + ".bak");
                    assertThat(Export.read(after, FILE)).isIn(bytes("old"), bytes("the new one"));
                }
            }
        }
    }

    @Test
    void fullDiskLeavesTheOldContent() throws DiskFailed {
        Export.replace(disk, FILE, bytes("old"));
        disk.fullFor(file -> true);

        assertThat(Export.replace(disk, FILE, bytes("new")))
                .isInstanceOfSatisfying(
                        Disk.Done.Failed.class,
                        failed -> assertThat(failed.kind()).isEqualTo(Disk.Done.Kind.FULL));
        assertThat(Export.read(disk, FILE)).isEqualTo(bytes("old"));
    }

    private static SequencedMap<FileId, byte[]> two(String text) {
        SequencedMap<FileId, byte[]> contents = new LinkedHashMap<>();
        contents.put(FILE, bytes(text + " topics"));
        contents.put(new FileId("config/groups.json"), bytes(text + " groups"));
        return contents;
    }

    @Test
    void severalFilesAreReplacedWithTwoWaitsForTheDiskAndTheirOldContentsKept() throws DiskFailed {
        Export.replaceAll(disk, two("old"), Duration.ofSeconds(1));
        int alone = disk.aloneSyncs();
        int joined = disk.joinedSyncs();
        Export.replaceAll(disk, two("new"), Duration.ofSeconds(1));

        assertThat(disk.aloneSyncs() - alone).isZero();
        assertThat(disk.joinedSyncs() - joined).isEqualTo(2);
        two("new").forEach((file, content) -> assertThat(readOf(disk, file)).isEqualTo(content));
        assertThat(Export.readKept(disk, FILE)).isEqualTo(bytes("old topics"));
    }

    private static byte @Nullable [] readOf(FaultDisk from, FileId file) {
        try {
            return Export.read(from, file);
        } catch (DiskFailed e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void lossOfPowerLeavesEachOfSeveralFilesOldOrNew() {
        for (int seed = 0; seed < 50; seed++) {
            for (long k = 0; ; k++) {
                FaultDisk fresh = new FaultDisk();
                Export.replaceAll(fresh, two("old"), Duration.ofSeconds(1));
                fresh.cutPowerAt(k);
                boolean done = false;
                try {
                    done = Export.replaceAll(fresh, two("new"), Duration.ofSeconds(1))
                            .isOk();
                } catch (FaultDisk.PowerCut cut) {
                    assertThat(fresh.isDead()).isTrue();
                }
                FaultDisk after = fresh.afterPowerLoss(new SplittableRandom(seed));
                boolean ended = done;
                two("new")
                        .forEach((file, content) -> assertThat(readOf(after, file))
                                .isIn(ended ? content : two("old").get(file), content));
                if (done) {
                    break;
                }
            }
        }
    }

    @Test
    void diskThatHangsHoldsNobodyLongerThanTheLimit() throws DiskFailed {
        Export.replaceAll(disk, two("old"), Duration.ofSeconds(1));
        disk.stall(Duration.ofSeconds(60));

        assertThat(Export.replaceAll(disk, two("new"), Duration.ofSeconds(1)))
                .isInstanceOfSatisfying(
                        Disk.Done.Failed.class,
                        failed -> assertThat(failed.kind()).isEqualTo(Disk.Done.Kind.LATE));
        assertThat(Export.read(disk, FILE)).isEqualTo(bytes("old topics"));
    }
}
