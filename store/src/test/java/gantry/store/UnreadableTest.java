package gantry.store;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.store.disk.FileDisk;
import java.io.RandomAccessFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Shows that a place which the disk cannot read costs the messages that stand there, with a name, and nothing
/// else: not the process, not the rest of the file, not the start.
class UnreadableTest {
    private static final String FIRST = "commitlog/" + Names.ofOffset(0);
    private static final String SECOND = "commitlog/" + Names.ofOffset(4096);

    @TempDir
    Path root;

    private static Rig fill(Disk disk, StoreConfig config, int count) throws OpenFailed {
        Rig rig = new Rig(disk, config);
        for (int i = 0; i < count; i++) {
            rig.sendTagged(rig.queue("a", 0), "t", "m" + i + "-" + "x".repeat(300));
        }
        rig.pass(600);
        rig.pass(1500);
        return rig;
    }

    private static Fetch.Status fetch(Rig rig, long offset) {
        return rig.store
                .fetch(
                        rig.queue("a", 0),
                        new FetchRequest(offset, 1, 1 << 20, TagCodes.ANY),
                        (_, ranges) -> Rig.bodies(ranges))
                .status();
    }

    /// R047. On real files, where a mapped page that is not there raises a signal: here because the file was cut.
    @Test
    void mappedPageThatIsGoneIsAnErrorOfThatFetchAndTheProcessLives() throws Exception {
        try (FileDisk disk = new FileDisk(root)) {
            StoreConfig config = Rig.TINY.withSegmentBytes(1 << 20).withQueueFileBytes(60_000);
            Rig rig = fill(disk, config, 5000);
            assertThat(rig.store.appended()).isGreaterThan(1 << 20);
            try (RandomAccessFile file =
                    new RandomAccessFile(root.resolve(FIRST).toFile(), "rw")) {
                file.setLength(0);
            }

            assertThat(fetch(rig, 0)).isEqualTo(Fetch.Status.UNREADABLE);
            assertThat(rig.notices)
                    .anyMatch(text -> text.startsWith("ALARM Messages cannot be read")
                            && text.contains(root.resolve(FIRST).toString()));
            assertThat(fetch(rig, 4900)).isEqualTo(Fetch.Status.FOUND);
            assertThat(rig.store.storeMillisAt(rig.queue("a", 0), 3)).isEqualTo(-1);
            assertThat(rig.store.view(0, _ -> {})).isFalse();
            assertThat(rig.send(rig.queue("a", 0), "more").queueOffset(0)).isEqualTo(5000);
            assertThat(rig.faults).isEmpty();
            rig.store.close();
        }
    }

    /// In the part of the log that a start reads.
    @Test
    void startStepsOverWhatTheDiskCannotReadAndNamesIt() throws OpenFailed {
        FaultDisk disk = new FaultDisk();
        Rig rig = new Rig(disk, Rig.TINY);
        for (int i = 0; i < 24; i++) {
            rig.sendTagged(rig.queue("a", 0), "t", "m" + i + "-" + "x".repeat(300));
        }
        FaultDisk killed = disk.afterKill();
        // Without a checkpoint everything counts as certain, and all of it is read.
        killed.remove("checkpoint");
        killed.failReads(FIRST, 1000, 1001);
        Rig again = new Rig(killed, Rig.TINY);

        assertThat(again.notices)
                .anyMatch(text -> text.startsWith("ALARM The commit log is damaged: /store/" + FIRST)
                        && text.contains("cannot be read")
                        && text.contains("Input/output error"));
        List<Integer> numbers = new ArrayList<>();
        again.read(again.queue("a", 0), 0)
                .forEach(body -> numbers.add(Integer.parseInt(body.substring(1, body.indexOf('-')))));
        assertThat(numbers).contains(0, 1, 20, 23).hasSizeBetween(12, 23);
        assertThat(again.send(again.queue("a", 0), "next").queueOffset(0)).isEqualTo(24);
    }

    /// A place that is read at the second or third look is neither an end nor damage.
    @Test
    void startNeverTakesAReadThatFailsForAMomentForTheLogsEnd() throws OpenFailed {
        FaultDisk disk = new FaultDisk();
        Rig rig = new Rig(disk, Rig.TINY);
        for (int i = 0; i < 24; i++) {
            rig.sendTagged(rig.queue("a", 0), "t", "m" + i + "-" + "x".repeat(300));
        }
        long end = rig.store.appended();
        int whole = 0;
        for (int failing = 1; failing <= 6; failing++) {
            for (int first = 0; first < 25; first++) {
                FaultDisk killed = disk.afterKill();
                AtomicInteger reads = new AtomicInteger(-first);
                int most = failing;
                killed.failReadsOf(file ->
                        file.path().startsWith("commitlog/") && reads.get() < most && reads.getAndIncrement() >= 0);
                Rig again;
                try {
                    again = new Rig(killed, Rig.TINY);
                } catch (OpenFailed refused) {
                    assertThat(refused).hasMessageContaining("Input/output error");
                    continue;
                }
                assertThat(again.store.appended())
                        .as(failing + " reads from " + first)
                        .isEqualTo(end);
                boolean all = again.read(again.queue("a", 0), 0).size() == 24;
                assertThat(all || again.notices.stream().anyMatch(text -> text.contains("The commit log is damaged")))
                        .as(failing + " reads from " + first)
                        .isTrue();
                whole += all ? 1 : 0;
            }
        }
        assertThat(whole).isGreaterThan(100);
    }

    @Test
    void scrubberAndCheckNameThePlaceAndGoOnBehindIt() throws OpenFailed {
        FaultDisk disk = new FaultDisk();
        Rig rig = fill(disk, Rig.TINY.withScrub(1 << 20), 24);
        rig.store.close();
        disk.failReads(SECOND, 0, 4096);
        Rig again = new Rig(disk, Rig.TINY.withScrub(1 << 20));
        again.pass(Scrubber.ROUND_MILLIS * 2);
        for (int i = 0; i < 100; i++) {
            again.pass(100);
        }
        assertThat(again.notices).anyMatch(text -> text.contains("Bit rot: /store/" + SECOND));
        assertThat(again.store.scrub().rounds()).isPositive();
        assertThat(again.store.state()).isInstanceOf(State.Serving.class);
    }
}
