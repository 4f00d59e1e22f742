package gantry.sim.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gantry.sim.Life;
import gantry.sim.SimScheduler;
import gantry.store.Disk;
import gantry.store.Disk.Done;
import gantry.store.DiskFailed;
import gantry.store.FileId;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// Shows what the simulated disk does when processes end, power fails, and hardware breaks: by doing the same
/// thing with many seeds and looking at the set of outcomes.
class SimDiskTest {
    private static final int SEEDS = 300;
    private static final FileId FILE = new FileId("log/0");
    private static final FileId OTHER = new FileId("log/1");

    /// One machine with one seed.
    private static final class Machine implements AutoCloseable {
        final SimScheduler scheduler;
        final SimDisk platter;
        Life life = new Life("a", 0);
        Disk disk;

        Machine(long seed) {
            scheduler = new SimScheduler(seed, null);
            platter = new SimDisk(scheduler, "a");
            disk = platter.mount(life);
        }

        void kill() {
            life.end();
            platter.processEnded();
            restart();
        }

        void powerCut() {
            life.end();
            platter.powerCut();
            restart();
        }

        private void restart() {
            life = new Life("a", life.number() + 1);
            disk = platter.mount(life);
        }

        void write(FileId file, long position, int size, int fill) {
            assertThat(disk.write(file, position, bytes(size, fill)).isOk()).isTrue();
        }

        byte[] content(FileId file) {
            ByteBuffer into = ByteBuffer.allocate(10_000);
            return disk.read(file, 0, into).isOk() ? Arrays.copyOf(into.array(), into.position()) : new byte[0];
        }

        @Override
        public void close() {
            platter.close();
        }
    }

    private static ByteBuffer bytes(int size, int fill) {
        byte[] all = new byte[size];
        Arrays.fill(all, (byte) fill);
        return ByteBuffer.wrap(all);
    }

    private static SortedSet<String> outcomes(Consumer<Machine> before, Consumer<Machine> crash, FileId file) {
        TreeSet<String> seen = new TreeSet<>();
        for (int seed = 0; seed < SEEDS; seed++) {
            try (Machine machine = new Machine(seed)) {
                before.accept(machine);
                crash.accept(machine);
                seen.add(summary(machine.content(file)));
            }
        }
        return seen;
    }

    /// One digit per sector, by its first byte; a `*` when a sector is not uniform.
    private static String summary(byte[] content) {
        StringBuilder text = new StringBuilder();
        for (int at = 0; at < content.length; at += SimFile.SECTOR_BYTES) {
            boolean uniform = true;
            for (int i = at; i < Math.min(content.length, at + SimFile.SECTOR_BYTES); i++) {
                uniform &= content[i] == content[at];
            }
            text.append(uniform ? Byte.toString(content[at]) : "*");
        }
        return text.toString();
    }

    private static void makeSynced(Machine machine) {
        machine.disk.create(FILE, 3 * SimFile.SECTOR_BYTES);
        machine.write(FILE, 0, 3 * SimFile.SECTOR_BYTES, 1);
        assertThat(machine.disk.syncNow(FILE).isOk()).isTrue();
        assertThat(machine.disk.syncFolder("log").isOk()).isTrue();
    }

    @Test
    void syncedBytesAndNamesSurviveEveryPowerCut() {
        assertThat(outcomes(SimDiskTest::makeSynced, Machine::powerCut, FILE)).containsExactly("111");
    }

    @Test
    void unsyncedWriteIsLostOrThereOrTornBetweenSectors() {
        SortedSet<String> seen = outcomes(
                machine -> {
                    makeSynced(machine);
                    machine.write(FILE, 0, 3 * SimFile.SECTOR_BYTES, 2);
                },
                Machine::powerCut,
                FILE);

        assertThat(seen).contains("111", "222", "112", "211", "121").doesNotContain("*");
    }

    @Test
    void laterWriteMayLandWithoutTheEarlierOne() {
        SortedSet<String> seen = outcomes(
                machine -> {
                    makeSynced(machine);
                    machine.write(FILE, 0, SimFile.SECTOR_BYTES, 2);
                    machine.write(FILE, SimFile.SECTOR_BYTES, SimFile.SECTOR_BYTES, 3);
                },
                Machine::powerCut,
                FILE);

        assertThat(seen).containsExactlyInAnyOrder("111", "211", "131", "231");
    }

    @Test
    void endedProcessLosesNothingThatItWrote() {
        SortedSet<String> seen = outcomes(
                machine -> {
                    makeSynced(machine);
                    machine.write(FILE, 0, SimFile.SECTOR_BYTES, 2);
                    machine.disk.create(OTHER, SimFile.SECTOR_BYTES);
                },
                Machine::kill,
                FILE);

        assertThat(seen).containsExactly("211");
    }

    @Test
    void newFileWithoutAFolderSyncMayBeMissingEmptyOrWhole() {
        SortedSet<String> seen = outcomes(
                machine -> {
                    makeSynced(machine);
                    machine.disk.create(OTHER, SimFile.SECTOR_BYTES);
                },
                Machine::powerCut,
                OTHER);

        assertThat(seen).containsExactlyInAnyOrder("", "0");
    }

    @Test
    void renameWithoutAFolderSyncMayNotHaveHappened() {
        SortedSet<String> seen = outcomes(
                machine -> {
                    makeSynced(machine);
                    machine.disk.create(OTHER, SimFile.SECTOR_BYTES);
                    machine.write(OTHER, 0, SimFile.SECTOR_BYTES, 5);
                    machine.disk.syncNow(OTHER);
                    machine.disk.syncFolder("log");
                    machine.disk.rename(OTHER, FILE);
                },
                Machine::powerCut,
                FILE);

        assertThat(seen).containsExactlyInAnyOrder("111", "5");
    }

    @Test
    void fileThatIsMovedToAnotherFolderIsNeverGone() {
        FileId moved = new FileId("log/aside/0");
        TreeSet<String> seen = new TreeSet<>();
        for (int seed = 0; seed < SEEDS; seed++) {
            try (Machine machine = new Machine(seed)) {
                makeSynced(machine);
                assertThat(machine.disk.rename(FILE, moved).isOk()).isTrue();
                machine.powerCut();
                seen.add(summary(machine.content(FILE)) + "/" + summary(machine.content(moved)));
            }
        }
        assertThat(seen).contains("111/", "/111").doesNotContain("/");
    }

    @Test
    void deletedFileMayComeBackUntilItsFolderIsSynced() {
        Consumer<Machine> delete = machine -> {
            makeSynced(machine);
            machine.disk.delete(FILE);
        };

        assertThat(outcomes(delete, Machine::powerCut, FILE)).containsExactlyInAnyOrder("", "111");
        assertThat(outcomes(delete.andThen(m -> m.disk.syncFolder("log")), Machine::powerCut, FILE))
                .containsExactly("");
    }

    @Test
    void syncUnderWayCoversNothingForCertain() {
        SortedSet<String> seen = outcomes(
                machine -> {
                    makeSynced(machine);
                    machine.write(FILE, 0, SimFile.SECTOR_BYTES, 2);
                    List<Done> told = new ArrayList<>();
                    machine.disk.sync(FILE, told::add);
                    if (told.isEmpty()) {
                        machine.write(FILE, SimFile.SECTOR_BYTES, SimFile.SECTOR_BYTES, 3);
                    }
                },
                Machine::powerCut,
                FILE);

        assertThat(seen).contains("111", "211", "131");
    }

    @Test
    void finishedSyncCoversWhatWasWrittenBeforeItWasAskedForAndNotMore() {
        SortedSet<String> seen = outcomes(
                machine -> {
                    makeSynced(machine);
                    machine.write(FILE, 0, SimFile.SECTOR_BYTES, 2);
                    List<Done> told = new ArrayList<>();
                    machine.disk.sync(FILE, told::add);
                    machine.write(FILE, 0, SimFile.SECTOR_BYTES, 3);
                    machine.scheduler.runUntil(SimScheduler.SECOND);
                    assertThat(told).containsExactly(Done.Ok.NOTHING);
                },
                Machine::powerCut,
                FILE);

        assertThat(seen).containsExactlyInAnyOrder("211", "311");
    }

    @Test
    void failedSyncPoisonsTheFileAndItsBytesMayBeGoneThoughTheyAreSeen() {
        SortedSet<String> seen = outcomes(
                machine -> {
                    makeSynced(machine);
                    machine.write(FILE, 0, SimFile.SECTOR_BYTES, 2);
                    machine.platter.faults().syncsFail(1);
                    assertThat(machine.disk.syncNow(FILE).isOk()).isFalse();
                    machine.platter.faults().heal();
                    assertThat(machine.disk.syncNow(FILE))
                            .isInstanceOfSatisfying(
                                    Done.Failed.class, f -> assertThat(f.kind()).isEqualTo(Done.Kind.POISONED));
                    machine.kill();
                    assertThat(summary(machine.content(FILE))).isEqualTo("211");
                    assertThat(machine.disk.syncNow(FILE).isOk()).isTrue();
                },
                Machine::powerCut,
                FILE);

        assertThat(seen).as("the next process syncs in vain").containsExactlyInAnyOrder("111", "211");
    }

    @Test
    void crashInTheMiddleOfAWriteLeavesAPartOfItAndAProcessThatChangesNothingMore() {
        SortedSet<String> seen = outcomes(
                machine -> {
                    makeSynced(machine);
                    machine.platter.crashAt(machine.platter.operations() + 1, machine.life::end);
                    Disk mine = machine.disk;
                    assertThat(mine.write(FILE, 0, bytes(3 * SimFile.SECTOR_BYTES, 2))
                                    .isOk())
                            .isFalse();
                    assertThat(mine.write(FILE, 0, bytes(3 * SimFile.SECTOR_BYTES, 3))
                                    .isOk())
                            .isFalse();
                    assertThat(mine.delete(FILE).isOk()).isFalse();
                },
                Machine::kill,
                FILE);

        assertThat(seen).contains("*11", "2*1", "22*");
        assertThat(String.join("", seen)).doesNotContain("3");
    }

    @Test
    void fullDiskRefusesNewBlocksButNotOldOnes() {
        try (Machine machine = new Machine(1)) {
            machine.platter.faults().capacity(2 * SimFile.BLOCK_BYTES);
            machine.disk.create(FILE, 10 * SimFile.BLOCK_BYTES);
            machine.write(FILE, 0, 2 * SimFile.BLOCK_BYTES, 1);

            assertThat(machine.disk.write(FILE, 2 * SimFile.BLOCK_BYTES, bytes(1, 2)))
                    .isInstanceOfSatisfying(
                            Done.Failed.class, f -> assertThat(f.kind()).isEqualTo(Done.Kind.FULL));
            machine.write(FILE, 100, 50, 3);
            machine.platter.faults().heal();
            machine.write(FILE, 2 * SimFile.BLOCK_BYTES, 1, 2);
        }
    }

    @Test
    void faultsStrikeOnlyWhileTheyAreOn() {
        try (Machine machine = new Machine(1)) {
            makeSynced(machine);
            machine.platter.faults().readsFail(1);
            machine.platter.faults().writesFail(1);
            assertThat(machine.disk.read(FILE, 0, ByteBuffer.allocate(1)).isOk())
                    .isFalse();
            assertThat(machine.disk.write(FILE, 0, bytes(1, 1)).isOk()).isFalse();

            machine.platter.faults().heal();

            assertThat(machine.disk.read(FILE, 0, ByteBuffer.allocate(1)).isOk())
                    .isTrue();
            machine.write(FILE, 0, 1, 1);
        }
    }

    @Test
    void rotTurnsOneBit() {
        try (Machine machine = new Machine(1)) {
            makeSynced(machine);
            machine.platter.rot(FILE, 8L * 700 + 3);

            byte[] content = machine.content(FILE);
            assertThat(content[700]).isEqualTo((byte) (1 ^ 8));
            content[700] = 1;
            assertThat(summary(content)).isEqualTo("111");
        }
    }

    @Test
    void closedMappingCannotBeReadAnyMore() throws DiskFailed {
        try (Machine machine = new Machine(1)) {
            makeSynced(machine);
            Disk.Mapping mapping = machine.disk.map(FILE);
            ByteBuffer kept = mapping.bytes();
            mapping.close();

            assertThatThrownBy(() -> kept.get(0)).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void lockOfAnEndedProcessIsFree() throws DiskFailed {
        try (Machine machine = new Machine(1)) {
            assertThat(machine.disk.lock()).isPresent();
            machine.kill();
            assertThat(machine.disk.lock()).isPresent();
        }
    }

    @Test
    void filesThatWereSyncedTogetherSurviveEveryPowerCut() {
        SortedSet<String> seen = outcomes(
                machine -> {
                    assertThat(machine.disk.create(FILE, 1000).isOk()).isTrue();
                    assertThat(machine.disk.create(OTHER, 1000).isOk()).isTrue();
                    machine.write(FILE, 0, 1000, 1);
                    machine.write(OTHER, 0, 1000, 2);
                    assertThat(machine.disk
                                    .syncAll(List.of(FILE, OTHER), List.of("log"), Duration.ofSeconds(1))
                                    .isOk())
                            .isTrue();
                },
                Machine::powerCut,
                OTHER);

        assertThat(seen).hasSize(1);
    }

    @Test
    void failureAmongManyPoisonsAtLeastTheFileThatFailedAndSometimesAll() {
        TreeSet<String> seen = new TreeSet<>();
        for (long seed = 0; seed < SEEDS; seed++) {
            try (Machine machine = new Machine(seed)) {
                List<FileId> files = List.of(FILE, OTHER);
                files.forEach(file -> machine.disk.create(file, 10));
                machine.platter.faults().syncsFail(1);
                assertThat(machine.disk
                                .syncAll(files, List.of(), Duration.ofSeconds(1))
                                .isOk())
                        .isFalse();
                machine.platter.faults().heal();
                long poisoned = files.stream()
                        .filter(file -> !machine.disk.syncNow(file).isOk())
                        .count();
                seen.add(poisoned + " poisoned");
            }
        }
        assertThat(seen).containsExactly("1 poisoned", "2 poisoned");
    }

    @Test
    void aDiskThatStallsLongerThanTheLimitIsLate() {
        try (Machine machine = new Machine(1)) {
            assertThat(machine.disk.create(FILE, 10).isOk()).isTrue();
            machine.platter.faults().stall(2_000_000_000L);

            Done done = machine.disk.syncAll(List.of(FILE), List.of(), Duration.ofSeconds(1));

            assertThat(done)
                    .isInstanceOfSatisfying(
                            Done.Failed.class,
                            failed -> assertThat(failed.kind()).isEqualTo(Done.Kind.LATE));
        }
    }
}
