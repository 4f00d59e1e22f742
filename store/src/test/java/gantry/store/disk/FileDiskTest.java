package gantry.store.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gantry.store.Disk;
import gantry.store.Disk.Done;
import gantry.store.DiskFailed;
import gantry.store.FileId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Shows that the real disk does what the seam `Disk` says, and says itself what it could not do.
class FileDiskTest {
    private static final FileId FILE = new FileId("folder/inner/file");

    @TempDir
    Path root;

    private FileDisk disk;

    @BeforeEach
    void open() {
        disk = new FileDisk(root, root.resolve("commitlog"), 4);
    }

    @AfterEach
    void close() {
        disk.close();
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
    }

    private String read(FileId file, long position, int length) {
        ByteBuffer into = ByteBuffer.allocate(length);
        assertThat(disk.read(file, position, into).isOk()).isTrue();
        return new String(into.array(), 0, into.position(), StandardCharsets.US_ASCII);
    }

    private static Done.Failed failed(Done done) {
        assertThat(done).isInstanceOf(Done.Failed.class);
        return (Done.Failed) done;
    }

    @Test
    void createdFileIsAsLongAsWantedWithoutTakingRoom() throws IOException {
        assertThat(disk.create(FILE, 1 << 30).isOk()).isTrue();
        Path path = root.resolve("folder/inner/file");
        assertThat(path).hasSize(1 << 30);
        assertThat(Files.getAttribute(path, "unix:nlink")).isEqualTo(1);
        assertThat(Files.getFileStore(path).getUsableSpace()).isPositive();
        assertThat(read(FILE, (1 << 30) - 4, 10)).isEqualTo("\0\0\0\0");
    }

    @Test
    void creatingAgainKeepsWhatIsThere() {
        disk.create(FILE, 10);
        disk.write(FILE, 2, bytes("abc"));
        disk.create(FILE, 10);
        assertThat(read(FILE, 0, 10)).isEqualTo("\0\0abc\0\0\0\0\0");
        disk.create(FILE, 20);
        assertThat(read(FILE, 0, 30)).startsWith("\0\0abc").hasSize(20);
    }

    @Test
    void writeMovesNeitherPositionNorLimitAndIsVisibleAtOnce() throws DiskFailed {
        disk.create(FILE, 16);
        Disk.Mapping mapping = disk.map(FILE);
        ByteBuffer source = ByteBuffer.allocateDirect(10)
                .put(bytes("0123456789"))
                .position(2)
                .limit(6);
        assertThat(disk.write(FILE, 4, source)).isEqualTo(new Done.Ok(4));

        assertThat(source.position()).isEqualTo(2);
        assertThat(source.limit()).isEqualTo(6);
        assertThat(read(FILE, 3, 6)).isEqualTo("\0" + "2345" + "\0");
        assertThat(mapping.bytes().get(4)).isEqualTo((byte) '2');
        assertThat(mapping.bytes().capacity()).isEqualTo(16);
        assertThat(mapping.bytes().isReadOnly()).isTrue();
        mapping.close();
        assertThatThrownBy(() -> mapping.bytes().get(4)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void cutLeavesZerosAndTheLength() {
        disk.create(FILE, 10);
        disk.write(FILE, 0, bytes("0123456789"));
        assertThat(disk.cut(FILE, 4).isOk()).isTrue();
        assertThat(read(FILE, 0, 20)).isEqualTo("0123\0\0\0\0\0\0");
        assertThat(root.resolve("folder/inner/file")).hasSize(10);
    }

    @Test
    void syncTellsOnceWhenItIsDone() throws ExecutionException, InterruptedException, TimeoutException {
        disk.create(FILE, 10);
        CompletableFuture<Done> done = new CompletableFuture<>();
        disk.sync(FILE, done::complete);
        assertThat(done.get(10, TimeUnit.SECONDS)).isEqualTo(Done.Ok.NOTHING);
        assertThat(disk.syncNow(FILE).isOk()).isTrue();
        assertThat(disk.syncFolder("folder/inner").isOk()).isTrue();
        assertThat(disk.syncFolder("").isOk()).isTrue();
    }

    @Test
    void closedDiskStillTellsThatASyncIsNotDone() throws ExecutionException, InterruptedException, TimeoutException {
        disk.create(FILE, 10);
        disk.close();
        CompletableFuture<Done> done = new CompletableFuture<>();
        disk.sync(FILE, done::complete);
        assertThat(failed(done.get(10, TimeUnit.SECONDS)).sentence()).contains("closed");
    }

    @Test
    void missingFileIsNamedWithItsAbsolutePath() {
        Done.Failed failed = failed(disk.write(FILE, 0, bytes("x")));
        assertThat(failed.kind()).isEqualTo(Done.Kind.MISSING);
        assertThat(failed.sentence()).contains(root.resolve("folder/inner/file").toString());
        assertThat(failed(disk.read(FILE, 0, ByteBuffer.allocate(1))).kind()).isEqualTo(Done.Kind.MISSING);
        assertThat(failed(disk.syncNow(FILE)).kind()).isEqualTo(Done.Kind.MISSING);
        assertThat(failed(disk.rename(FILE, new FileId("other"))).kind()).isEqualTo(Done.Kind.MISSING);
        assertThat(failed(disk.cut(FILE, 0)).kind()).isEqualTo(Done.Kind.MISSING);
        assertThat(disk.delete(FILE).isOk()).isTrue();
        assertThatThrownBy(() -> disk.map(FILE)).isInstanceOf(DiskFailed.class);
    }

    @Test
    void whatTheOperatingSystemSaysBecomesAKind() {
        Path path = root.resolve("x");
        assertThat(failed(Failures.failed(path, "writing it", new IOException("No space left on device")))
                        .kind())
                .isEqualTo(Done.Kind.FULL);
        assertThat(failed(Failures.failed(path, "writing it", new IOException("Disk quota exceeded")))
                        .kind())
                .isEqualTo(Done.Kind.FULL);
        assertThat(failed(Failures.failed(path, "writing it", new IOException("Read-only file system")))
                        .kind())
                .isEqualTo(Done.Kind.READ_ONLY);
        assertThat(failed(Failures.failed(path, "writing it", new IOException("Input/output error"))))
                .satisfies(failed -> assertThat(failed.kind()).isEqualTo(Done.Kind.IO))
                .satisfies(failed -> assertThat(failed.sentence())
                        .isEqualTo(path.toAbsolutePath() + ": writing it failed: Input/output error"));
    }

    @Test
    void handlesStayBelowTheirBoundAndFilesStayUsable() {
        List<FileId> files = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            FileId file = new FileId("many/" + i);
            files.add(file);
            disk.create(file, 10);
            disk.write(file, 0, bytes("file " + i));
            assertThat(disk.openFiles()).isLessThanOrEqualTo(4);
        }
        for (int i = 0; i < 40; i++) {
            assertThat(read(files.get(i), 0, 10)).startsWith("file " + i);
        }
        assertThat(disk.openFiles()).isLessThanOrEqualTo(4);
    }

    @Test
    void renameReplacesAndIsSeenByLaterReads() {
        FileId draft = new FileId("a.tmp");
        FileId target = new FileId("a");
        disk.create(target, 3);
        disk.write(target, 0, bytes("old"));
        disk.create(draft, 3);
        disk.write(draft, 0, bytes("new"));
        assertThat(disk.rename(draft, target).isOk()).isTrue();
        assertThat(read(target, 0, 10)).isEqualTo("new");
        assertThat(failed(disk.read(draft, 0, ByteBuffer.allocate(1))).kind()).isEqualTo(Done.Kind.MISSING);
    }

    @Test
    void listIsSortedAndKnowsFoldersFromFiles() throws DiskFailed {
        disk.create(new FileId("list/b"), 7);
        disk.create(new FileId("list/a"), 3);
        disk.create(new FileId("list/c/inner"), 3);
        assertThat(disk.list("list"))
                .containsExactly(
                        new Disk.FileEntry("a", 3, false),
                        new Disk.FileEntry("b", 7, false),
                        new Disk.FileEntry("c", 0, true));
        assertThat(disk.list("nowhere")).isEmpty();
    }

    @Test
    void rootIsHeldByOneAtATime() throws DiskFailed {
        Disk.Lock lock = disk.lock().orElseThrow();
        try (FileDisk second = new FileDisk(root)) {
            assertThat(second.lock()).isEmpty();
            lock.close();
            Optional<Disk.Lock> next = second.lock();
            assertThat(next).isPresent();
            next.orElseThrow().close();
        }
        assertThat(root.resolve("lock")).hasContent("lock");
    }

    @Test
    void commitLogMayLieSomewhereElse(@TempDir Path elsewhere) throws DiskFailed {
        try (FileDisk two = new FileDisk(root, elsewhere.resolve("log"), 8)) {
            two.create(new FileId("commitlog/0"), 5);
            two.create(new FileId("commitlogs/0"), 5);
            assertThat(elsewhere.resolve("log/0")).hasSize(5);
            assertThat(root.resolve("commitlogs/0")).hasSize(5);
            assertThat(two.list("commitlog")).hasSize(1);
            assertThat(two.syncFolder("commitlog").isOk()).isTrue();
            assertThat(two.describe(new FileId("commitlog/0")))
                    .isEqualTo(elsewhere.resolve("log/0").toString());
        }
    }

    @Test
    void pathThatLeavesTheRootIsNoFile() {
        for (String path : List.of("../x", "/etc/x", "a//b", "a/./b", "")) {
            assertThatThrownBy(() -> new FileId(path)).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
