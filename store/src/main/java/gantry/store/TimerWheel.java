package gantry.store;

import gantry.store.Disk.Done;
import gantry.store.Disk.FileEntry;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;

/// RocketMQ's wheel of timer messages, as far as telling whether anything is still in it.
///
/// ```
///   timerwheel          slots of 32:  0  time, in units   8  firstPos   16  lastPos   24  count (4)   28  (4)
///   config/timercheck                 0  lastReadMillis   8  lastLogPos 16  lastQueueOffset …
///   consumequeue/rmq_sys_wheel_timer/0  from lastQueueOffset on: not yet in the wheel
/// ```
/// For:   not taking over a store whose timer messages nobody here would deliver.
/// Owner: `ForeignFiles`.
/// Never: changes anything; delivers.
final class TimerWheel {
    static final FileId FILE = new FileId("timerwheel");

    /// @param until the time of the last one, for a sentence
    record Pending(long count, String until) {}

    private static final FileId CHECK = new FileId("config/timercheck");
    private static final String QUEUE = QueueFiles.ROOT + "/rmq_sys_wheel_timer/0";
    private static final int SLOT_BYTES = 32;
    private static final int COUNT_AT = 24;
    private static final int BLOCK_BYTES = 32 * 1024 * SLOT_BYTES;

    /// Times of this century have 13 digits in milliseconds; slots may count in larger units.
    private static final long LEAST_MILLIS = 1_000_000_000_000L;

    private final Disk disk;
    private long count;
    private long lastMillis;

    TimerWheel(Disk disk) {
        this.disk = disk;
    }

    Pending pending() throws DiskFailed {
        ByteBuffer check = ByteBuffer.allocate(3 * Long.BYTES);
        if (!read(FILE, 0, ByteBuffer.allocate(1)) || !read(CHECK, 0, check)) {
            return new Pending(0, "");
        }
        long lastRead = check.getLong(0);
        countSlots(lastRead);
        count += waiting(check.getLong(2 * Long.BYTES));
        return new Pending(
                count,
                lastMillis == 0
                        ? "an unknown time"
                        : Instant.ofEpochMilli(lastMillis).toString());
    }

    private void countSlots(long lastRead) throws DiskFailed {
        ByteBuffer block = ByteBuffer.allocate(BLOCK_BYTES);
        for (long at = 0; read(FILE, at, block.clear()); at += BLOCK_BYTES) {
            for (int slot = 0; slot + SLOT_BYTES <= block.position(); slot += SLOT_BYTES) {
                long millis = millisOf(block.getLong(slot));
                if (millis > lastRead) {
                    count += Math.max(0, block.getInt(slot + COUNT_AT));
                    lastMillis = Math.max(lastMillis, millis);
                }
            }
        }
    }

    private static long millisOf(long time) {
        long millis = time;
        while (millis > 0 && millis < LEAST_MILLIS) {
            millis *= 10;
        }
        return millis;
    }

    /// Whether the timer queue has an entry that did not reach the wheel.
    private int waiting(long queueOffset) throws DiskFailed {
        List<FileEntry> files = disk.list(QUEUE);
        if (files.isEmpty() || queueOffset < 0 || files.get(0).bytes() == 0) {
            return 0;
        }
        long position = queueOffset * EntryChunk.ENTRY_BYTES;
        long base = position - position % files.get(0).bytes();
        ByteBuffer entry = ByteBuffer.allocate(EntryChunk.ENTRY_BYTES);
        boolean there = read(new FileId(QUEUE + "/" + Names.ofOffset(base)), position - base, entry);
        return there && entry.getInt(EntryChunk.SIZE_AT) > 0 ? 1 : 0;
    }

    /// @return false when there is nothing to read
    private boolean read(FileId file, long position, ByteBuffer into) throws DiskFailed {
        if (disk.read(file, position, into) instanceof Done.Failed failed) {
            if (failed.kind() == Done.Kind.MISSING) {
                return false;
            }
            throw new DiskFailed(failed);
        }
        return into.position() > 0;
    }
}
