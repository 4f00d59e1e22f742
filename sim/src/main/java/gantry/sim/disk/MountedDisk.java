package gantry.sim.disk;

import gantry.sim.Life;
import gantry.sim.SimScheduler;
import gantry.store.Disk;
import gantry.store.DiskFailed;
import gantry.store.FileId;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The disk as one life of one simulated process sees it.
///
/// For:   `Disk` for nodes, with the faults that fate has turned on. Once its life has ended it changes nothing.
/// Owner: the scheduler's thread.
final class MountedDisk implements Disk {
    private static final Done.Failed ENDED = new Done.Failed(Done.Kind.IO, "this process has ended");
    private static final long USUAL_SYNC_NANOS = 2 * SimScheduler.MILLI;

    private final SimDisk disk;
    private final Life life;
    /// Poison lives in the process that saw the failed sync; the next one knows nothing of it.
    private final TreeSet<String> poisoned = new TreeSet<>();

    MountedDisk(SimDisk disk, Life life) {
        this.disk = disk;
        this.life = life;
    }

    @Override
    public Done create(FileId id, long bytes) {
        return change("create", id, bytes, () -> {
            if (poisoned.contains(id.path())) {
                return poisonedFailure(id);
            }
            SimFolder folder = disk.folder(id.folder());
            SimFile file = folder.names().get(id.name());
            if (file == null) {
                file = new SimFile(disk.arena());
                folder.names().put(id.name(), file);
                folder.changed();
            }
            file.resize(bytes, disk.lastOrder());
            return Done.Ok.NOTHING;
        });
    }

    @Override
    public Done write(FileId id, long position, ByteBuffer bytes) {
        if (!life.alive()) {
            return ENDED;
        }
        SimFile file = disk.find(id);
        if (file == null) {
            return missing(id);
        }
        if (poisoned.contains(id.path())) {
            return poisonedFailure(id);
        }
        long order = disk.nextOrder();
        int size = bytes.remaining();
        note("write", id, position << 20 | size);
        if (disk.crashesNow()) {
            file.write(position, bytes, disk.random().nextInt(size + 1), order);
            disk.crashNow();
            return ENDED;
        }
        if (file.wantedBytes(position, size) > disk.freeBytes()) {
            long fits = SimFile.BLOCK_BYTES - position % SimFile.BLOCK_BYTES;
            file.write(position, bytes, file.wantedBytes(position, 1) == 0 ? (int) Math.min(size, fits) : 0, order);
            return new Done.Failed(Done.Kind.FULL, describe(id) + ": no space left");
        }
        if (strikes(disk.faults().writeFailsOneIn)) {
            file.write(position, bytes, disk.random().nextInt(size + 1), order);
            return new Done.Failed(Done.Kind.IO, describe(id) + ": input/output error while writing");
        }
        file.write(position, bytes, size, order);
        return new Done.Ok(size);
    }

    @Override
    public void sync(FileId id, Consumer<Done> done) {
        if (!life.alive()) {
            return;
        }
        SimFile file = disk.find(id);
        if (file == null) {
            done.accept(missing(id));
            return;
        }
        if (disk.random().nextInt(16) == 0 && disk.faults().stallNanos == 0) {
            done.accept(settle(id, file, disk.nextOrder(), file.length()));
            return;
        }
        long order = disk.nextOrder();
        long length = file.length();
        long takes = 1 + disk.random().nextLong(USUAL_SYNC_NANOS) + disk.faults().stallNanos;
        disk.scheduler().after(takes, life, "sync ends", () -> done.accept(settle(id, file, order, length)));
    }

    @Override
    public Done syncNow(FileId id) {
        return change("syncNow", id, 0, () -> {
            SimFile file = disk.find(id);
            return file == null ? missing(id) : settle(id, file, disk.lastOrder(), file.length());
        });
    }

    /// In any order; sometimes a failure of one leaves doubt about all of them, as `syncfs` does.
    @Override
    public Done syncAll(Collection<FileId> files, Collection<String> folders, Duration limit) {
        if (!life.alive()) {
            return ENDED;
        }
        if (disk.faults().stallNanos > limit.toNanos()) {
            return new Done.Failed(Done.Kind.LATE, "/" + disk.host() + ": syncing has not come back in time");
        }
        List<FileId> left = new ArrayList<>(files);
        boolean together = disk.random().nextBoolean();
        while (!left.isEmpty()) {
            FileId id = left.remove(disk.random().nextInt(left.size()));
            Done done = syncNow(id);
            if (done instanceof Done.Failed failed && failed.kind() != Done.Kind.MISSING) {
                if (together && life.alive()) {
                    files.forEach(file -> poisoned.add(file.path()));
                }
                return done;
            }
        }
        for (String folder : folders) {
            Done done = syncFolder(folder);
            if (!done.isOk()) {
                return done;
            }
        }
        return Done.Ok.NOTHING;
    }

    private Done settle(FileId id, SimFile file, long order, long length) {
        note("sync", id, order);
        if (poisoned.contains(id.path())) {
            return poisonedFailure(id);
        }
        if (strikes(disk.faults().syncFailsOneIn)) {
            poisoned.add(id.path());
            file.syncFailed(disk.random());
            return new Done.Failed(Done.Kind.IO, describe(id) + ": input/output error while syncing");
        }
        file.synced(order, length);
        return Done.Ok.NOTHING;
    }

    @Override
    public Done read(FileId id, long position, ByteBuffer into) {
        if (!life.alive()) {
            return ENDED;
        }
        SimFile file = disk.find(id);
        if (file == null) {
            return missing(id);
        }
        if (strikes(disk.faults().readFailsOneIn)) {
            return new Done.Failed(Done.Kind.IO, describe(id) + ": input/output error while reading");
        }
        return new Done.Ok(file.read(position, into));
    }

    @Override
    public Done cut(FileId id, long position) {
        return change("cut", id, position, () -> {
            SimFile file = disk.find(id);
            if (file == null) {
                return missing(id);
            }
            if (poisoned.contains(id.path())) {
                return poisonedFailure(id);
            }
            file.cut(position, disk.lastOrder());
            return Done.Ok.NOTHING;
        });
    }

    @Override
    public Mapping map(FileId id) throws DiskFailed {
        SimFile file = life.alive() ? disk.find(id) : null;
        if (file == null) {
            throw new DiskFailed(life.alive() ? missing(id) : ENDED);
        }
        return new SimMapping(file, life);
    }

    @Override
    public Done rename(FileId from, FileId to) {
        return change("rename", from, 0, () -> {
            SimFolder source = disk.folder(from.folder());
            SimFolder target = disk.folder(to.folder());
            SimFile file = source.names().remove(from.name());
            if (file == null) {
                return missing(from);
            }
            target.names().put(to.name(), file);
            source.changed();
            if (target != source) {
                target.changed();
            }
            return Done.Ok.NOTHING;
        });
    }

    @Override
    public Done delete(FileId id) {
        return change("delete", id, 0, () -> {
            SimFolder folder = disk.folder(id.folder());
            if (folder.names().remove(id.name()) != null) {
                folder.changed();
            }
            return Done.Ok.NOTHING;
        });
    }

    @Override
    public Done deleteFolder(String path) {
        return change("deleteFolder", null, path.hashCode(), () -> {
            SimFolder folder = disk.folders().get(path);
            boolean holdsFolders = disk.folders().keySet().stream().anyMatch(other -> other.startsWith(path + "/"));
            if (folder != null && folder.names().isEmpty() && !holdsFolders) {
                disk.folders().remove(path);
            }
            return Done.Ok.NOTHING;
        });
    }

    @Override
    public Done syncFolder(String folder) {
        return change("syncFolder", null, folder.hashCode(), () -> {
            disk.folder(folder).synced();
            return Done.Ok.NOTHING;
        });
    }

    @Override
    public Space space(String folder) throws DiskFailed {
        if (!life.alive()) {
            throw new DiskFailed(ENDED);
        }
        return disk.space();
    }

    @Override
    public List<FileEntry> list(String folder) throws DiskFailed {
        if (!life.alive()) {
            throw new DiskFailed(ENDED);
        }
        TreeMap<String, FileEntry> found = new TreeMap<>();
        String inside = folder.isEmpty() ? "" : folder + "/";
        for (Map.Entry<String, SimFolder> other : disk.folders().entrySet()) {
            if (other.getKey().equals(folder)) {
                other.getValue()
                        .names()
                        .forEach((name, file) -> found.put(name, new FileEntry(name, file.length(), false)));
            } else if (other.getKey().startsWith(inside) && !other.getKey().isEmpty()) {
                String name = other.getKey().substring(inside.length()).split("/", -1)[0];
                found.putIfAbsent(name, new FileEntry(name, 0, true));
            }
        }
        return new ArrayList<>(found.values());
    }

    @Override
    public Optional<Lock> lock() {
        return disk.lock(life) ? Optional.of(() -> disk.unlock(life)) : Optional.empty();
    }

    @Override
    public String describe(FileId id) {
        return "/" + disk.host() + "/" + id.path();
    }

    /// A change of one step: it happens or it does not, also when the process ends in the middle.
    private Done change(String what, @Nullable FileId id, long detail, Supplier<Done> work) {
        if (!life.alive()) {
            return ENDED;
        }
        disk.nextOrder();
        note(what, id, detail);
        if (disk.crashesNow()) {
            if (disk.random().nextBoolean()) {
                var _ = work.get();
            }
            disk.crashNow();
            return ENDED;
        }
        return work.get();
    }

    private void note(String what, @Nullable FileId id, long detail) {
        SimScheduler scheduler = disk.scheduler();
        scheduler.mix(detail);
        if (scheduler.tracing()) {
            scheduler.trace(disk.host() + " " + what + " " + (id == null ? "" : id.path()) + " " + detail);
        }
    }

    private Done.Failed missing(FileId id) {
        return new Done.Failed(Done.Kind.MISSING, describe(id) + " does not exist");
    }

    private Done.Failed poisonedFailure(FileId id) {
        return new Done.Failed(Done.Kind.POISONED, describe(id) + ": a sync of it failed before");
    }

    private boolean strikes(int oneIn) {
        return oneIn > 0 && disk.random().nextInt(oneIn) == 0;
    }
}
