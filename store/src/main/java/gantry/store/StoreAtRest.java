package gantry.store;

import java.nio.ByteBuffer;
import java.util.Optional;

/// A store that is not open: what its files say of it, and its lock.
///
/// For:   whoever has to know before a store is opened.
/// Owner: none (stateless).
/// Never: changes a file.
public final class StoreAtRest {
    private StoreAtRest() {}

    /// Whether Gantry ran on the store last, and no RocketMQ broker since; changes nothing.
    public static boolean ranHereLast(Disk disk) throws OpenFailed {
        try {
            return StoreSwitch.read(disk) != null
                    || Checkpoint.load(disk, (level, text) -> {}).mark() != null;
        } catch (DiskFailed e) {
            throw new OpenFailed(e);
        }
    }

    /// Whether there is nothing in the commit log; changes nothing.
    public static boolean isEmpty(Disk disk) throws OpenFailed {
        try {
            if (StoreSwitch.read(disk) != null) {
                return false;
            }
            for (Disk.FileEntry file : disk.list(Segments.FOLDER)) {
                ByteBuffer head = ByteBuffer.allocate(Long.BYTES);
                if (disk.read(new FileId(Segments.FOLDER + "/" + file.name()), 0, head)
                                .isOk()
                        && head.getLong(0) != 0) {
                    return false;
                }
            }
            return true;
        } catch (DiskFailed e) {
            throw new OpenFailed(e);
        }
    }

    static Disk.Lock take(Disk disk) throws OpenFailed {
        try {
            Optional<Disk.Lock> lock = disk.lock();
            if (lock.isEmpty()) {
                throw new OpenFailed(disk.describe(new FileId("lock"))
                        + " is held by another process: the store is in use. Stop that broker, or choose another"
                        + " store directory.");
            }
            return lock.get();
        } catch (DiskFailed e) {
            throw new OpenFailed(e);
        }
    }
}
