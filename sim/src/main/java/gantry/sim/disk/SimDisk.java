package gantry.sim.disk;

import gantry.sim.Life;
import gantry.sim.SimScheduler;
import gantry.store.Disk;
import gantry.store.FileId;
import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The platter of one simulated machine, with the operating system's cache before it.
///
/// For:   outliving processes: an ended process leaves everything it wrote, a power cut only what was synced for
///        certain, and of the rest whatever fate likes.
/// Owner: the scheduler's thread.
public final class SimDisk implements AutoCloseable {
    private static final long USUAL_FREE_BYTES = 1L << 40;

    private final SimScheduler scheduler;
    private final String host;
    private final RandomGenerator random;
    private final Arena arena = Arena.ofConfined();
    private final TreeMap<String, SimFolder> folders = new TreeMap<>();
    private final DiskFaults faults = new DiskFaults();
    private long order;
    private @Nullable Life lockedBy;
    private long crashAtOperation = Long.MAX_VALUE;
    private Runnable crash = () -> {};

    public SimDisk(SimScheduler scheduler, String host) {
        this.scheduler = scheduler;
        this.host = host;
        this.random = scheduler.fork(host + "/disk");
    }

    /// The disk as one process sees it.
    public Disk mount(Life life) {
        return new MountedDisk(this, life);
    }

    public DiskFaults faults() {
        return faults;
    }

    /// From now on there is room for so many bytes more, until the faults are healed.
    public void fill(long bytesLeft) {
        faults.capacityBytes = takenBytes() + bytesLeft;
    }

    /// Operations that change something, so far.
    public long operations() {
        return order;
    }

    /// Calls `crash` in the middle of the changing operation with this number, counted from 1 over the disk's
    /// life.
    public void crashAt(long operation, Runnable newCrash) {
        crashAtOperation = operation;
        crash = newCrash;
    }

    /// The process has ended: what it wrote is there, locks and mappings are gone.
    public void processEnded() {
        lockedBy = null;
        crashAtOperation = Long.MAX_VALUE;
        forEachFile(SimFile::processEnded);
    }

    /// The power has gone: what was not synced is lost, torn, or there, in any combination.
    public void powerCut() {
        processEnded();
        long moment = order - random.nextInt((int) Math.min(order + 1, 64));
        Survival common = Survival.any(random);
        boolean mixed = random.nextInt(3) == 0;
        List<Moved> moved = moved();
        for (SimFolder folder : folders.values()) {
            folder.powerCut(mixed ? Survival.any(random) : common, random);
        }
        moved.forEach(this::keepName);
        forEachFile(file -> file.powerCut(mixed ? Survival.any(random) : common, moment, random));
        scheduler.note(host + " loses power: " + (mixed ? "anything" : common.name()) + " survives");
    }

    /// A file that was renamed from one folder to another, and none of that is certain.
    private record Moved(SimFolder to, String name, SimFile file) {}

    private List<Moved> moved() {
        List<Moved> moved = new ArrayList<>();
        for (SimFolder to : folders.values()) {
            to.names().forEach((name, file) -> {
                boolean elsewhere = folders.values().stream().anyMatch(from -> from != to && from.hadForCertain(file));
                if (elsewhere) {
                    moved.add(new Moved(to, name, file));
                }
            });
        }
        return moved;
    }

    /// Renaming is one step: a file that always had a name keeps one.
    private void keepName(Moved moved) {
        boolean named =
                folders.values().stream().anyMatch(folder -> folder.names().containsValue(moved.file));
        if (!named) {
            moved.to.names().put(moved.name, moved.file);
            moved.to.synced();
        }
    }

    /// Whether a failed sync has left bytes that programs see and the platter does not have.
    public boolean hasGivenUp() {
        boolean[] any = new boolean[1];
        forEachFile(file -> any[0] |= file.hasGivenUp());
        return any[0];
    }

    /// How far the bytes of a chain of files, each named by the position of its first byte, would survive any
    /// power cut.
    ///
    /// @param from where to start looking
    /// @param to where to stop
    /// @return `to`, or a position between them that could be lost
    public long certainUpTo(String folder, long from, long to) {
        SimFolder chain = folders.get(folder);
        if (chain == null) {
            return from;
        }
        long at = from;
        while (at < to) {
            long position = at;
            String name = null;
            for (String candidate : chain.names().keySet()) {
                if (Long.parseLong(candidate) <= position) {
                    name = candidate;
                }
            }
            SimFile file = name == null ? null : chain.names().get(name);
            if (file == null || !chain.isCertain(String.valueOf(name), file)) {
                return at;
            }
            long base = Long.parseLong(String.valueOf(name));
            long end = Math.min(to, base + file.length());
            long certain = base + file.certainUpTo(at - base, end - base);
            if (certain < end || end == at) {
                return certain;
            }
            at = end;
        }
        return to;
    }

    /// Turns one bit over somewhere in a file.
    public void rot(FileId id, long bit) {
        SimFile file = find(id);
        if (file != null && bit / 8 < file.length()) {
            file.flip(bit);
        }
    }

    /// A byte of a file as programs see it; -1 when there is no such byte.
    public int peek(FileId id, long at) {
        SimFile file = find(id);
        return file == null || at >= file.length() ? -1 : file.byteAt(at);
    }

    /// Somebody deletes or zeroes some of the files below a folder while nobody has it open.
    public void lose(String below) {
        for (Map.Entry<String, SimFolder> folder : folders.entrySet()) {
            if (folder.getKey().startsWith(below)) {
                for (Map.Entry<String, SimFile> file :
                        List.copyOf(folder.getValue().names().entrySet())) {
                    switch (random.nextInt(3)) {
                        case 0 -> folder.getValue().names().remove(file.getKey());
                        case 1 -> file.getValue().zero();
                        default -> {}
                    }
                }
                folder.getValue().changed();
            }
        }
        scheduler.note(host + " loses files below " + below);
    }

    @Override
    public void close() {
        arena.close();
    }

    private void forEachFile(Consumer<SimFile> each) {
        for (SimFolder folder : folders.values()) {
            folder.names().values().forEach(each);
        }
    }

    // ---- for the mounted disk

    SimScheduler scheduler() {
        return scheduler;
    }

    String host() {
        return host;
    }

    RandomGenerator random() {
        return random;
    }

    Arena arena() {
        return arena;
    }

    Map<String, SimFolder> folders() {
        return folders;
    }

    SimFolder folder(String path) {
        return folders.computeIfAbsent(path, p -> new SimFolder());
    }

    @Nullable
    SimFile find(FileId id) {
        SimFolder folder = folders.get(id.folder());
        return folder == null ? null : folder.names().get(id.name());
    }

    long nextOrder() {
        return ++order;
    }

    long lastOrder() {
        return order;
    }

    /// True in the middle of the operation that was chosen to be the last of a life; fate has struck when it
    /// returns.
    boolean crashesNow() {
        return order >= crashAtOperation;
    }

    void crashNow() {
        Runnable now = crash;
        crash = () -> {};
        crashAtOperation = Long.MAX_VALUE;
        now.run();
    }

    /// A disk that nobody has filled is as large as it takes.
    Disk.Space space() {
        long taken = takenBytes();
        long total = faults.capacityBytes == Long.MAX_VALUE ? taken + USUAL_FREE_BYTES : faults.capacityBytes;
        return new Disk.Space(total, Math.max(0, total - taken));
    }

    long freeBytes() {
        if (faults.capacityBytes == Long.MAX_VALUE) {
            return Long.MAX_VALUE;
        }
        return faults.capacityBytes - takenBytes();
    }

    private long takenBytes() {
        long taken = 0;
        for (SimFolder folder : folders.values()) {
            for (SimFile file : folder.names().values()) {
                taken += file.takenBytes();
            }
        }
        return taken;
    }

    boolean lock(Life life) {
        if (lockedBy != null && lockedBy.alive()) {
            return false;
        }
        lockedBy = life;
        return true;
    }

    void unlock(Life life) {
        if (lockedBy == life) {
            lockedBy = null;
        }
    }
}
