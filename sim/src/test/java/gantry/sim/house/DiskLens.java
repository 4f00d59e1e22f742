package gantry.sim.house;

import gantry.store.Disk;
import gantry.store.DiskFailed;
import gantry.store.FileId;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// A disk that does what another one does, except where a subclass lies.
abstract class DiskLens implements Disk {
    final Disk real;

    DiskLens(Disk real) {
        this.real = real;
    }

    static boolean isLog(FileId file) {
        return file.path().startsWith("commitlog/");
    }

    @Override
    public Done create(FileId file, long bytes) {
        return real.create(file, bytes);
    }

    @Override
    public Done write(FileId file, long position, ByteBuffer bytes) {
        return real.write(file, position, bytes);
    }

    @Override
    public void sync(FileId file, Consumer<Done> done) {
        real.sync(file, done);
    }

    @Override
    public Done syncNow(FileId file) {
        return real.syncNow(file);
    }

    @Override
    public Done syncAll(Collection<FileId> files, Collection<String> folders, Duration limit) {
        return real.syncAll(files, folders, limit);
    }

    @Override
    public Done read(FileId file, long position, ByteBuffer into) {
        return real.read(file, position, into);
    }

    @Override
    public Done cut(FileId file, long position) {
        return real.cut(file, position);
    }

    @Override
    public Mapping map(FileId file) throws DiskFailed {
        return real.map(file);
    }

    @Override
    public Done rename(FileId from, FileId to) {
        return real.rename(from, to);
    }

    @Override
    public Done delete(FileId file) {
        return real.delete(file);
    }

    @Override
    public Done deleteFolder(String folder) {
        return real.deleteFolder(folder);
    }

    @Override
    public Done syncFolder(String folder) {
        return real.syncFolder(folder);
    }

    @Override
    public Space space(String folder) throws DiskFailed {
        return real.space(folder);
    }

    @Override
    public List<FileEntry> list(String folder) throws DiskFailed {
        return real.list(folder);
    }

    @Override
    public Optional<Lock> lock() throws DiskFailed {
        return real.lock();
    }

    @Override
    public String describe(FileId file) {
        return real.describe(file);
    }
}
