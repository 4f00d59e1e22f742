package gantry.store;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/// Another disk, whose syncs and reads of the commit log are counted.
///
/// For:   seeing how many batches share one sync, and that nobody reads again what has just been written.
/// Owner: safe from any thread, as the other disk is.
record CountingDisk(Disk disk, AtomicInteger syncs, AtomicInteger logReads) implements Disk {
    CountingDisk(Disk disk) {
        this(disk, new AtomicInteger(), new AtomicInteger());
    }

    @Override
    public Done create(FileId file, long bytes) {
        return disk.create(file, bytes);
    }

    @Override
    public Done write(FileId file, long position, ByteBuffer bytes) {
        return disk.write(file, position, bytes);
    }

    @Override
    public void sync(FileId file, Consumer<Done> done) {
        syncs.incrementAndGet();
        disk.sync(file, done);
    }

    @Override
    public Done syncNow(FileId file) {
        return disk.syncNow(file);
    }

    @Override
    public Done syncAll(Collection<FileId> files, Collection<String> folders, Duration limit) {
        return disk.syncAll(files, folders, limit);
    }

    @Override
    public Done read(FileId file, long position, ByteBuffer into) {
        if (file.path().startsWith("commitlog/")) {
            logReads.incrementAndGet();
        }
        return disk.read(file, position, into);
    }

    @Override
    public Done cut(FileId file, long position) {
        return disk.cut(file, position);
    }

    @Override
    public Mapping map(FileId file) throws DiskFailed {
        return disk.map(file);
    }

    @Override
    public Done rename(FileId from, FileId to) {
        return disk.rename(from, to);
    }

    @Override
    public Done delete(FileId file) {
        return disk.delete(file);
    }

    @Override
    public Done deleteFolder(String folder) {
        return disk.deleteFolder(folder);
    }

    @Override
    public Done syncFolder(String folder) {
        return disk.syncFolder(folder);
    }

    @Override
    public Space space(String folder) throws DiskFailed {
        return disk.space(folder);
    }

    @Override
    public List<FileEntry> list(String folder) throws DiskFailed {
        return disk.list(folder);
    }

    @Override
    public Optional<Lock> lock() throws DiskFailed {
        return disk.lock();
    }

    @Override
    public String describe(FileId file) {
        return disk.describe(file);
    }
}
