package gantry.sim.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gantry.store.Disk;
import gantry.store.Disk.Done;
import gantry.store.Disk.FileEntry;
import gantry.store.Disk.Mapping;
import gantry.store.DiskFailed;
import gantry.store.FileId;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/// Shows what every `Disk` does as long as the power stays on.
abstract class DiskContract {
    private static final FileId FILE = new FileId("commitlog/00000000000000000000");

    abstract Bed bed();

    abstract Disk disk();

    /// The same disk for another process.
    abstract Disk ofAnotherProcess();

    private static ByteBuffer bytes(int size, int fill) {
        byte[] all = new byte[size];
        Arrays.fill(all, (byte) fill);
        return ByteBuffer.wrap(all);
    }

    private static void ok(Done done) {
        assertThat(done).isInstanceOf(Done.Ok.class);
    }

    private static void missing(Done done) {
        assertThat(done).isInstanceOfSatisfying(Done.Failed.class, failed -> {
            assertThat(failed.kind()).isEqualTo(Done.Kind.MISSING);
            assertThat(failed.sentence()).isNotBlank();
        });
    }

    private byte[] content(FileId file) {
        ByteBuffer all = ByteBuffer.allocate(100_000);
        ok(disk().read(file, 0, all));
        return Arrays.copyOf(all.array(), all.position());
    }

    private static byte[] concat(byte[]... parts) {
        ByteBuffer all =
                ByteBuffer.allocate(Arrays.stream(parts).mapToInt(p -> p.length).sum());
        Arrays.stream(parts).forEach(all::put);
        return all.array();
    }

    @Test
    void newFileHasExactlyTheLengthAskedForAndReadsAsZero() {
        ok(disk().create(FILE, 5000));

        assertThat(content(FILE)).isEqualTo(new byte[5000]);
    }

    @Test
    void createOfAFileThatIsThereChangesItsLengthAndNotItsBytes() {
        ok(disk().create(FILE, 1000));
        ok(disk().write(FILE, 0, bytes(1000, 7)));

        ok(disk().create(FILE, 1500));
        assertThat(content(FILE)).isEqualTo(concat(bytes(1000, 7).array(), new byte[500]));

        ok(disk().create(FILE, 600));
        assertThat(content(FILE)).isEqualTo(bytes(600, 7).array());

        ok(disk().create(FILE, 1000));
        assertThat(content(FILE)).isEqualTo(concat(bytes(600, 7).array(), new byte[400]));
    }

    @Test
    void writeTellsItsSizeLeavesItsBufferAloneAndIsSeenAtOnce() throws DiskFailed {
        ok(disk().create(FILE, 10_000));
        Mapping mapping = disk().map(FILE);
        ByteBuffer direct = ByteBuffer.allocateDirect(300);
        direct.put(100, bytes(150, 3).array()).position(100).limit(250);

        assertThat(disk().write(FILE, 4050, direct)).isEqualTo(new Done.Ok(150));

        assertThat(direct.position()).isEqualTo(100);
        assertThat(direct.limit()).isEqualTo(250);
        byte[] expected = concat(new byte[4050], bytes(150, 3).array(), new byte[10_000 - 4200]);
        assertThat(content(FILE)).isEqualTo(expected);
        byte[] seen = new byte[10_000];
        mapping.bytes().get(0, seen);
        assertThat(seen).isEqualTo(expected);
        mapping.close();
    }

    @Test
    void writeBehindTheEndMakesTheFileLonger() {
        ok(disk().create(FILE, 10));

        ok(disk().write(FILE, 20, bytes(5, 1)));

        assertThat(content(FILE)).isEqualTo(concat(new byte[20], bytes(5, 1).array()));
    }

    @Test
    void emptyWriteIsDone() {
        ok(disk().create(FILE, 10));

        assertThat(disk().write(FILE, 5, bytes(0, 0))).isEqualTo(new Done.Ok(0));
        assertThat(content(FILE)).hasSize(10);
    }

    @Test
    void readMovesItsBufferAndEndsWithTheFile() {
        ok(disk().create(FILE, 100));
        ok(disk().write(FILE, 0, bytes(100, 9)));
        ByteBuffer into = ByteBuffer.allocate(64);

        assertThat(disk().read(FILE, 80, into)).isEqualTo(new Done.Ok(20));
        assertThat(into.position()).isEqualTo(20);
        assertThat(disk().read(FILE, 0, into)).isEqualTo(new Done.Ok(44));
        assertThat(into.hasRemaining()).isFalse();
        assertThat(disk().read(FILE, 100, into.clear())).isEqualTo(new Done.Ok(0));
        assertThat(disk().read(FILE, 5000, into)).isEqualTo(new Done.Ok(0));
        assertThat(into.position()).isZero();
    }

    @Test
    void whatIsNotThereIsMissing() {
        FileId other = new FileId("commitlog/00000000000000001024");
        List<Done> told = new CopyOnWriteArrayList<>();

        missing(disk().write(FILE, 0, bytes(1, 1)));
        missing(disk().read(FILE, 0, ByteBuffer.allocate(1)));
        missing(disk().syncNow(FILE));
        missing(disk().cut(FILE, 0));
        missing(disk().rename(FILE, other));
        assertThatThrownBy(() -> disk().map(FILE)).isInstanceOf(DiskFailed.class);
        disk().sync(FILE, told::add);
        bed().until("the sync is told", () -> !told.isEmpty());
        missing(told.getFirst());
        ok(disk().delete(FILE));
    }

    @Test
    void syncIsToldOnce() {
        List<Done> told = new CopyOnWriteArrayList<>();
        ok(disk().create(FILE, 1000));
        for (int i = 0; i < 20; i++) {
            ok(disk().write(FILE, i, bytes(1, 1)));
            disk().sync(FILE, told::add);
        }

        bed().until("every sync is told", () -> told.size() == 20);
        bed().settle();
        assertThat(told).hasSize(20).allMatch(Done::isOk);
        ok(disk().syncNow(FILE));
        ok(disk().syncFolder(FILE.folder()));
        ok(disk().syncFolder(""));
    }

    @Test
    void manyFilesAreMadeDurableTogetherAndWhatIsNotThereIsPassedOver() {
        List<FileId> files = new ArrayList<>();
        List<String> folders = new ArrayList<>();
        for (int i = 0; i < 150; i++) {
            FileId file = new FileId("consumequeue/T/" + i + "/00000000000000000000");
            files.add(file);
            folders.add(file.folder());
            ok(disk().create(file, 100));
            ok(disk().write(file, 0, bytes(20, i)));
        }
        ok(disk().delete(files.get(149)));
        files.add(new FileId("consumequeue/U/0/00000000000000000000"));
        folders.add("consumequeue/U/0");

        ok(disk().syncAll(files, folders, Duration.ofMinutes(1)));
        ok(disk().syncAll(files.subList(140, 151), folders.subList(140, 151), Duration.ofMinutes(1)));
        ok(disk().syncAll(List.of(), List.of(""), Duration.ofMinutes(1)));
        ok(disk().syncAll(List.of(), List.of(), Duration.ZERO));

        assertThat(content(files.get(7))).startsWith(bytes(20, 7).array());
    }

    @Test
    void roomIsToldInBytes() throws DiskFailed {
        ok(disk().create(FILE, 10));

        assertThat(disk().space("").totalBytes()).isGreaterThan(1 << 20);
        assertThat(disk().space("commitlog").freeBytes())
                .isBetween(0L, disk().space("commitlog").totalBytes());
        assertThat(disk().space("missing").totalBytes()).isPositive();
    }

    @Test
    void cutZeroesTheRestAndKeepsTheLength() {
        ok(disk().create(FILE, 9000));
        ok(disk().write(FILE, 0, bytes(9000, 5)));

        ok(disk().cut(FILE, 4100));

        assertThat(content(FILE)).isEqualTo(concat(bytes(4100, 5).array(), new byte[4900]));
        ok(disk().cut(FILE, 9000));
        ok(disk().cut(FILE, 20_000));
        assertThat(content(FILE)).hasSize(9000);
        ok(disk().write(FILE, 6000, bytes(10, 6)));
        assertThat(content(FILE)).containsSubsequence(bytes(10, 6).array());
    }

    @Test
    void renameTakesThePlaceOfWhatHasTheNameAlready() {
        FileId draft = new FileId("config/topics.json.tmp");
        FileId file = new FileId("config/topics.json");
        ok(disk().create(draft, 3));
        ok(disk().write(draft, 0, bytes(3, 2)));
        ok(disk().create(file, 9));

        ok(disk().rename(draft, file));

        assertThat(content(file)).isEqualTo(bytes(3, 2).array());
        missing(disk().read(draft, 0, ByteBuffer.allocate(1)));
    }

    @Test
    void renameMovesAFileIntoAnotherFolderWhichIsMadeOnDemand() throws DiskFailed {
        FileId file = new FileId("commitlog/00000000000000000000");
        FileId aside = new FileId("commitlog/aside/00000000000000000000");
        ok(disk().create(file, 3));
        ok(disk().write(file, 0, bytes(3, 2)));

        ok(disk().rename(file, aside));

        assertThat(content(aside)).isEqualTo(bytes(3, 2).array());
        missing(disk().read(file, 0, ByteBuffer.allocate(1)));
        assertThat(disk().list("commitlog")).singleElement().matches(Disk.FileEntry::folder);
        ok(disk().syncAll(List.of(), List.of("commitlog", "commitlog/aside", "commitlog/none"), Duration.ofMinutes(1)));
        ok(disk().rename(aside, file));
        assertThat(content(file)).isEqualTo(bytes(3, 2).array());
    }

    @Test
    void mappedFileStaysReadableAfterItsNameIsGone() throws DiskFailed {
        ok(disk().create(FILE, 5000));
        ok(disk().write(FILE, 0, bytes(5000, 8)));
        Mapping mapping = disk().map(FILE);

        ok(disk().delete(FILE));

        assertThat(mapping.bytes().get(4999)).isEqualTo((byte) 8);
        assertThat(mapping.bytes().isReadOnly()).isTrue();
        assertThat(mapping.bytes().capacity()).isEqualTo(5000);
        mapping.close();
        missing(disk().read(FILE, 0, ByteBuffer.allocate(1)));
    }

    @Test
    void recreatedFileHasNothingOfTheDeletedOne() {
        ok(disk().create(FILE, 100));
        ok(disk().write(FILE, 0, bytes(100, 1)));
        ok(disk().delete(FILE));

        ok(disk().create(FILE, 100));

        assertThat(content(FILE)).isEqualTo(new byte[100]);
    }

    @Test
    void folderIsDeletedOnlyWhenItIsEmpty() throws DiskFailed {
        FileId inner = new FileId("outer/inner/file");
        ok(disk().create(inner, 10));
        ok(disk().deleteFolder("outer/inner"));
        ok(disk().deleteFolder("outer"));
        assertThat(content(inner)).hasSize(10);
        ok(disk().delete(inner));
        ok(disk().deleteFolder("outer"));
        ok(disk().deleteFolder("outer/inner"));
        ok(disk().deleteFolder("outer"));
        assertThat(disk().list("")).noneMatch(entry -> entry.name().equals("outer"));
        ok(disk().deleteFolder("never/there"));
        ok(disk().create(inner, 5));
        assertThat(content(inner)).hasSize(5);
    }

    @Test
    void listIsSortedAndTellsFilesFromFolders() throws DiskFailed {
        ok(disk().create(new FileId("abort"), 0));
        ok(disk().create(new FileId("consumequeue/T/1/00000000000000000000"), 40));
        ok(disk().create(new FileId("consumequeue/T/0/00000000000000000000"), 60));
        ok(disk().create(new FileId("consumequeue/S/0/00000000000000000000"), 80));

        assertThat(disk().list("")).contains(new FileEntry("abort", 0, false), new FileEntry("consumequeue", 0, true));
        assertThat(disk().list("consumequeue"))
                .containsExactly(new FileEntry("S", 0, true), new FileEntry("T", 0, true));
        assertThat(disk().list("consumequeue/T"))
                .containsExactly(new FileEntry("0", 0, true), new FileEntry("1", 0, true));
        assertThat(disk().list("consumequeue/T/1")).containsExactly(new FileEntry("00000000000000000000", 40, false));
        assertThat(disk().list("consumequeue/U")).isEmpty();
    }

    @Test
    void rootBelongsToOneProcessUntilItLetsGo() throws DiskFailed {
        Disk.Lock lock = disk().lock().orElseThrow();

        assertThat(ofAnotherProcess().lock()).isEmpty();

        lock.close();
        assertThat(ofAnotherProcess().lock()).isPresent();
    }

    @Test
    void anotherProcessSeesWhatWasWritten() {
        ok(disk().create(FILE, 100));
        ok(disk().write(FILE, 10, bytes(20, 4)));
        ByteBuffer into = ByteBuffer.allocate(20);

        ok(ofAnotherProcess().read(FILE, 10, into));

        assertThat(into.array()).isEqualTo(bytes(20, 4).array());
    }

    @Test
    void descriptionIsAnAbsolutePath() {
        assertThat(disk().describe(FILE)).startsWith("/").endsWith(FILE.path());
    }
}
