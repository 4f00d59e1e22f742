package gantry.store.disk;

import gantry.store.Disk;
import gantry.store.Disk.Done.Failed;
import gantry.store.Disk.Done.Kind;
import gantry.store.Disk.Done.Ok;
import gantry.store.DiskFailed;
import gantry.store.FileId;
import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Files of a real file system.
///
/// For:   the seam `Disk` in production.
/// Owner: itself; safe from any thread.
/// Never: decides what a failure means.
/// Holds: DISK-1 a file whose sync failed is never written or synced again.
public final class FileDisk implements Disk, AutoCloseable {
    /// Handles that stay open by default.
    public static final int DEFAULT_OPEN_FILES = 1024;

    private static final String LOG_FOLDER = "commitlog";

    /// Syncs of single files at once.
    private static final int LOG_SYNCS = 2;

    private final Path root;
    private final Path logFolder;
    private final boolean logIsElsewhere;
    private final Handles handles;
    private final SyncThreads syncs = new SyncThreads(LOG_SYNCS, "disk-sync-");
    private final Set<FileId> poisoned = ConcurrentHashMap.newKeySet();
    private final ManySyncs many;

    public FileDisk(Path root) {
        this(root, root.resolve(LOG_FOLDER), DEFAULT_OPEN_FILES);
    }

    /// @param root `storePathRootDir`
    /// @param logFolder `storePathCommitLog`: stands for the folder `commitlog`, maybe on another file system
    public FileDisk(Path root, Path logFolder, int openFiles) {
        this.root = root.toAbsolutePath().normalize();
        this.logFolder = logFolder.toAbsolutePath().normalize();
        this.logIsElsewhere = !this.logFolder.equals(this.root.resolve(LOG_FOLDER));
        this.handles = new Handles(openFiles, this::path);
        this.many = new ManySyncs(this.root, new ManySyncs.Single() {
            @Override
            public Path path(FileId file) {
                return FileDisk.this.path(file);
            }

            @Override
            public Done sync(FileId file) {
                return syncNow(file);
            }

            @Override
            public Done syncFolder(Path folder) {
                return FileDisk.this.syncFolder(folder);
            }

            @Override
            public void poison(FileId file) {
                poisoned.add(file);
            }
        });
    }

    @Override
    public Done create(FileId file, long bytes) {
        if (poisoned.contains(file)) {
            return poisonedFailure(file);
        }
        Path path = path(file);
        try {
            createIn(path, bytes);
            return Ok.NOTHING;
        } catch (IOException e) {
            return Failures.failed(path, "creating it with " + bytes + " bytes", e);
        }
    }

    @Override
    public Done write(FileId file, long position, ByteBuffer bytes) {
        if (poisoned.contains(file)) {
            return poisonedFailure(file);
        }
        int start = bytes.position();
        int size = bytes.remaining();
        try {
            Handles.Handle handle = handles.enter(file);
            try {
                long at = position;
                while (bytes.hasRemaining()) {
                    at += handle.channel.write(bytes, at);
                }
            } finally {
                handle.leave();
                bytes.position(start);
            }
            return new Ok(size);
        } catch (IOException e) {
            return Failures.failed(path(file), "writing " + size + " bytes at " + position, e);
        }
    }

    @Override
    public void sync(FileId file, Consumer<Done> done) {
        if (!syncs.run(() -> done.accept(syncNow(file)))) {
            done.accept(new Failed(Kind.IO, describe(file) + ": not synced, the disk is closed already"));
        }
    }

    @Override
    public Done syncNow(FileId file) {
        if (poisoned.contains(file)) {
            return poisonedFailure(file);
        }
        try {
            Handles.Handle handle = handles.enter(file);
            try {
                handle.channel.force(false);
            } finally {
                handle.leave();
            }
            return Ok.NOTHING;
        } catch (NoSuchFileException e) {
            return Failures.failed(path(file), "syncing it", e);
        } catch (IOException e) {
            // The kernel may have dropped the pages that it could not write: a later sync would succeed and lie.
            poisoned.add(file);
            return Failures.failed(path(file), "syncing it", e);
        }
    }

    @Override
    public Done syncAll(Collection<FileId> files, Collection<String> folders, Duration limit) {
        for (FileId file : files) {
            if (poisoned.contains(file)) {
                return poisonedFailure(file);
            }
        }
        Set<Path> names = new LinkedHashSet<>();
        for (String folder : folders) {
            upward(folder, names);
        }
        return many.run(files, names, limit);
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
            return Failures.failed(path(file), "reading at " + position, e);
        }
    }

    @Override
    public Done cut(FileId file, long position) {
        if (poisoned.contains(file)) {
            return poisonedFailure(file);
        }
        Path path = path(file);
        try {
            long length = Files.size(path);
            try (RandomAccessFile there = new RandomAccessFile(path.toFile(), "rw")) {
                there.setLength(Math.min(position, length));
                there.setLength(length);
            }
            return Ok.NOTHING;
        } catch (IOException e) {
            return Failures.failed(path, "cutting it at " + position, e);
        }
    }

    @Override
    public Mapping map(FileId file) throws DiskFailed {
        Path path = path(file);
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            return FileMapping.of(channel);
        } catch (IOException e) {
            throw new DiskFailed(Failures.failure(path, "mapping it", e));
        }
    }

    @Override
    public Done rename(FileId from, FileId to) {
        handles.forget(from);
        handles.forget(to);
        try {
            move(path(from), path(to));
            return Ok.NOTHING;
        } catch (IOException e) {
            return Failures.failed(path(from), "renaming it to " + path(to), e);
        }
    }

    @Override
    public Done delete(FileId file) {
        handles.forget(file);
        try {
            Files.deleteIfExists(path(file));
            // What gets the name next is another file, of which nothing is lost.
            poisoned.remove(file);
            return Ok.NOTHING;
        } catch (IOException e) {
            return Failures.failed(path(file), "deleting it", e);
        }
    }

    @Override
    public Done deleteFolder(String folder) {
        Path path = path(new FileId(folder));
        try {
            Files.deleteIfExists(path);
            return Ok.NOTHING;
        } catch (DirectoryNotEmptyException e) {
            return Ok.NOTHING;
        } catch (IOException e) {
            return Failures.failed(path, "deleting the folder", e);
        }
    }

    @Override
    public Done syncFolder(String folder) {
        Set<Path> names = new LinkedHashSet<>();
        upward(folder, names);
        for (Path name : names) {
            Done done = syncFolder(name);
            if (!done.isOk()) {
                return done;
            }
        }
        return Ok.NOTHING;
    }

    /// The folder and those above it, up to the root, because folders are made on demand. The top's own name was
    /// made durable by whoever made it, unless that was us: then its parent is ours to read.
    private void upward(String folder, Set<Path> into) {
        Path path = folder.isEmpty() ? root : path(new FileId(folder));
        Path top = logIsElsewhere && path.startsWith(logFolder) ? logFolder : root;
        for (Path at = path; at != null && at.startsWith(top); at = at.getParent()) {
            if (!into.add(at)) {
                return;
            }
        }
        Path parent = top.getParent();
        if (parent != null && Files.isWritable(parent) && Files.isReadable(parent)) {
            into.add(parent);
        }
    }

    private Done syncFolder(Path folder) {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
            return Ok.NOTHING;
        } catch (IOException e) {
            return Failures.failed(folder, "syncing the folder", e);
        }
    }

    @Override
    public Space space(String folder) throws DiskFailed {
        Path path = folder.isEmpty() ? root : path(new FileId(folder));
        File there = Files.isDirectory(path) ? path.toFile() : root.toFile();
        Space space = new Space(there.getTotalSpace(), there.getUsableSpace());
        if (space.totalBytes() == 0) {
            throw new DiskFailed(
                    Failures.failure(path, "looking how much room there is", new IOException("no answer")));
        }
        return space;
    }

    @Override
    public List<FileEntry> list(String folder) throws DiskFailed {
        Path path = folder.isEmpty() ? root : path(new FileId(folder));
        List<FileEntry> entries = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(path)) {
            for (Path entry : stream) {
                BasicFileAttributes is = Files.readAttributes(entry, BasicFileAttributes.class);
                String name = String.valueOf(entry.getFileName());
                entries.add(new FileEntry(name, is.isDirectory() ? 0 : is.size(), is.isDirectory()));
            }
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (DirectoryIteratorException e) {
            throw new DiskFailed(Failures.failure(path, "listing it", new IOException(e)));
        } catch (IOException e) {
            throw new DiskFailed(Failures.failure(path, "listing it", e));
        }
        entries.sort(Comparator.comparing(FileEntry::name));
        return entries;
    }

    @Override
    public Optional<Lock> lock() throws DiskFailed {
        Path path = root.resolve("lock");
        FileChannel channel = null;
        try {
            Files.createDirectories(root);
            many.watch();
            channel = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            FileLock lock = channel.tryLock();
            if (lock == null) {
                channel.close();
                return Optional.empty();
            }
            channel.write(ByteBuffer.wrap("lock".getBytes(StandardCharsets.US_ASCII)), 0);
            return Optional.of(new RootLock(channel));
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

    /// Ends the sync threads and closes every handle; to be called after the store is closed.
    @Override
    public void close() {
        syncs.close();
        many.close();
        handles.closeAll();
    }

    int openFiles() {
        return handles.count();
    }

    private Path path(FileId file) {
        String path = file.path();
        if (logIsElsewhere && path.startsWith(LOG_FOLDER)) {
            if (path.length() == LOG_FOLDER.length()) {
                return logFolder;
            }
            if (path.charAt(LOG_FOLDER.length()) == '/') {
                return logFolder.resolve(path.substring(LOG_FOLDER.length() + 1));
            }
        }
        return root.resolve(path);
    }

    private Done poisonedFailure(FileId file) {
        return new Failed(
                Kind.POISONED,
                describe(file) + ": an earlier sync failed, so what of it is on disk is not known; check the disk");
    }

    /// Most files are made in a folder that is there: only who finds none looks at every folder above it.
    private static void createIn(Path path, long bytes) throws IOException {
        Path folder = path.getParent();
        try {
            setLength(path, bytes);
        } catch (FileNotFoundException e) {
            if (folder == null || Files.isDirectory(folder)) {
                throw e;
            }
            Files.createDirectories(folder);
            setLength(path, bytes);
        }
    }

    private static void move(Path from, Path to) throws IOException {
        Path folder = to.getParent();
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (NoSuchFileException e) {
            if (folder == null || Files.isDirectory(folder) || !Files.exists(from)) {
                throw e;
            }
            Files.createDirectories(folder);
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    /// Lengthens without reserving space, or shortens.
    private static void setLength(Path path, long bytes) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            if (file.length() != bytes) {
                file.setLength(bytes);
            }
        }
    }

    private static void closeQuietly(@Nullable FileChannel channel) {
        if (channel != null) {
            try {
                channel.close();
            } catch (IOException e) {
                // The lock was not taken, and nothing was written: there is nothing to lose.
            }
        }
    }

    private record FileMapping(Arena arena, ByteBuffer bytes) implements Mapping {
        @SuppressWarnings("MustBeClosedChecker") // the arena lives as long as the mapping, whose owner closes it
        static FileMapping of(FileChannel channel) throws IOException {
            Arena arena = Arena.ofShared();
            try {
                return new FileMapping(
                        arena,
                        channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena)
                                .asByteBuffer());
            } catch (IOException e) {
                arena.close();
                throw e;
            }
        }

        @Override
        public void close() {
            arena.close();
        }
    }

    private record RootLock(FileChannel channel) implements Lock {
        @Override
        public void close() {
            closeQuietly(channel);
        }
    }
}
