package gantry.store.disk;

import gantry.store.Disk;
import gantry.store.Disk.Done.Failed;
import gantry.store.Disk.Done.Kind;
import gantry.store.Disk.Done.Ok;
import gantry.store.DiskFailed;
import gantry.store.FileId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Files of a real file system that are only looked at.
///
/// For:   checking a store whose disk may be mounted read-only, and of which nothing may change, times included.
/// Owner: itself; safe from any thread.
/// Never: makes, writes or deletes anything, not even the file `lock`.
public final class ReadOnlyDisk implements Disk, AutoCloseable {
    private static final String LOG_FOLDER = "commitlog";
    private static final int OPEN_FILES = 256;

    private final Path root;
    private final Path logFolder;
    private final FileDisk names;
    private final Handles handles;

    /// @param logFolder stands for the folder `commitlog`
    public ReadOnlyDisk(Path root, Path logFolder) {
        this.root = root.toAbsolutePath().normalize();
        this.logFolder = logFolder.toAbsolutePath().normalize();
        this.names = new FileDisk(root, logFolder, 1);
        this.handles = new Handles(OPEN_FILES, this::path, Set.of(StandardOpenOption.READ));
    }

    @Override
    public Done create(FileId file, long bytes) {
        return refused(file);
    }

    @Override
    public Done write(FileId file, long position, ByteBuffer bytes) {
        return refused(file);
    }

    @Override
    public void sync(FileId file, Consumer<Done> done) {
        done.accept(refused(file));
    }

    @Override
    public Done syncNow(FileId file) {
        return refused(file);
    }

    @Override
    public Done syncAll(Collection<FileId> files, Collection<String> folders, Duration limit) {
        return refused(files.isEmpty() ? new FileId("lock") : files.iterator().next());
    }

    @Override
    public Done read(FileId file, long position, ByteBuffer into) {
        int start = into.position();
        try {
            Handles.Handle handle = handles.enter(file);
            try {
                while (into.hasRemaining()) {
                    if (handle.channel.read(into, position + (into.position() - start)) < 0) {
                        break;
                    }
                }
            } finally {
                handle.leave();
            }
            return new Ok(into.position() - start);
        } catch (IOException e) {
            into.position(start);
            return Failures.failed(path(file), "reading at " + position, e);
        }
    }

    @Override
    public Done cut(FileId file, long position) {
        return refused(file);
    }

    @Override
    public Mapping map(FileId file) throws DiskFailed {
        return names.map(file);
    }

    @Override
    public Done rename(FileId from, FileId to) {
        return refused(from);
    }

    @Override
    public Done delete(FileId file) {
        return refused(file);
    }

    @Override
    public Done deleteFolder(String folder) {
        return refused(new FileId(folder));
    }

    @Override
    public Done syncFolder(String folder) {
        return refused(new FileId(folder.isEmpty() ? "root" : folder));
    }

    @Override
    public Space space(String folder) throws DiskFailed {
        return names.space(folder);
    }

    @Override
    public List<FileEntry> list(String folder) throws DiskFailed {
        return names.list(folder);
    }

    /// A lock shared with others that only look: a broker that runs is found out, and none can start meanwhile.
    /// Where there is no file to lock nobody can have the store open.
    @Override
    public Optional<Lock> lock() throws DiskFailed {
        Path path = root.resolve("lock");
        if (!Files.exists(path)) {
            return Optional.of(() -> {});
        }
        FileChannel channel = null;
        try {
            channel = FileChannel.open(path, StandardOpenOption.READ);
            FileLock lock = channel.tryLock(0, Long.MAX_VALUE, true);
            if (lock != null) {
                FileChannel held = channel;
                return Optional.of(() -> closeQuietly(held));
            }
            channel.close();
            return Optional.empty();
        } catch (OverlappingFileLockException e) {
            closeQuietly(channel);
            return Optional.empty();
        } catch (IOException e) {
            closeQuietly(channel);
            throw new DiskFailed(Failures.failure(path, "locking it", e));
        }
    }

    @Override
    public String describe(FileId file) {
        return path(file).toString();
    }

    @Override
    public void close() {
        handles.closeAll();
        names.close();
    }

    private Path path(FileId file) {
        String path = file.path();
        if (path.equals(LOG_FOLDER)) {
            return logFolder;
        }
        return path.startsWith(LOG_FOLDER + "/")
                ? logFolder.resolve(path.substring(LOG_FOLDER.length() + 1))
                : root.resolve(path);
    }

    private Done refused(FileId file) {
        return new Failed(Kind.READ_ONLY, describe(file) + ": nothing is changed here, it is only looked at");
    }

    private static void closeQuietly(@Nullable FileChannel channel) {
        if (channel != null) {
            try {
                channel.close();
            } catch (IOException e) {
                // Only read from: there is nothing to lose.
            }
        }
    }
}
