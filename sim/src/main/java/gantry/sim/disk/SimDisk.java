package gantry.sim.disk;

import gantry.sim.Life;
import gantry.sim.SimScheduler;
import gantry.store.Disk;
import gantry.store.FileId;
import java.lang.foreign.Arena;
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

    /// Operations that change something, so far.
    public long operations() {
        return order;
    }

    /// Calls `crash` in the middle of the changing operation with this number, counted from 1 over the disk's life.
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
        for (SimFolder folder : folders.values()) {
            folder.powerCut(mixed ? Survival.any(random) : common, random);
        }
        forEachFile(file -> file.powerCut(mixed ? Survival.any(random) : common, moment, random));
        scheduler.note(host + " loses power: " + (mixed ? "anything" : common.name()) + " survives");
    }

    /// Turns one bit over somewhere in a file.
    public void rot(FileId id, long bit) {
        SimFile file = find(id);
        if (file != null && bit / 8 < file.length()) {
            file.flip(bit);
        }
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

    /// True in the middle of the operation that was chosen to be the last of a life; fate has struck when it returns.
    boolean crashesNow() {
        return order >= crashAtOperation;
    }

    void crashNow() {
        Runnable now = crash;
        crash = () -> {};
        crashAtOperation = Long.MAX_VALUE;
        now.run();
    }

    long freeBytes() {
        if (faults.capacityBytes == Long.MAX_VALUE) {
            return Long.MAX_VALUE;
        }
        long taken = 0;
        for (SimFolder folder : folders.values()) {
            for (SimFile file : folder.names().values()) {
                taken += file.takenBytes();
            }
        }
        return faults.capacityBytes - taken;
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
