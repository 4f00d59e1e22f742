package gantry.store;

import gantry.store.Disk.Done;
import gantry.store.Disk.FileEntry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Lets queues follow a log that has lost its head.
///
/// For:   minimum offsets, and queue files that only point to what is gone.
/// Owner: one retention round at a time; runs outside of the sequencers, because it reads and deletes.
/// Never: the last file of a queue: it says where the queue goes on.
/// Holds: QUEUE-1 an offset is never used again, because a queue that lost all its messages keeps its end.
final class QueueRetention {
    private final Disk disk;

    QueueRetention(Disk disk) {
        this.disk = disk;
    }

    /// For every queue that begins below `logMin`: where it begins now.
    Map<ConsumeQueue, Long> minimums(List<ConsumeQueue> queues, long logMin) {
        Map<ConsumeQueue, Long> raised = new LinkedHashMap<>();
        for (ConsumeQueue queue : queues) {
            long min = firstFrom(queue, queue.headOffset(), logMin);
            if (min > queue.headOffset()) {
                raised.put(queue, min);
            }
        }
        return raised;
    }

    /// The first entry, from `least` on, of a record at or above `logMin`; `least` when it cannot be told.
    long firstFrom(ConsumeQueue queue, long least, long logMin) {
        long low = least;
        long max = queue.maxOffset();
        long high = max;
        Entries entries = new Entries(disk, queue, 1);
        long probe = low;
        while (low < high) {
            if (!entries.moveTo(probe, max)) {
                return least;
            }
            if (entries.isFiller() || entries.logOffset() < logMin) {
                low = probe + 1;
            } else {
                high = probe;
            }
            probe = (low + high) >>> 1;
        }
        return low;
    }

    /// Deletes files that lie wholly below what the log has of their queue, oldest first.
    ///
    /// @return what failed, or null
    Done.@Nullable Failed deleteFiles(Map<ConsumeQueue, Long> before) {
        List<String> folders = new ArrayList<>();
        for (Map.Entry<ConsumeQueue, Long> entry : before.entrySet()) {
            ConsumeQueue queue = entry.getKey();
            long perFile = queue.files.entriesPerFile();
            if (entry.getValue() / perFile < queue.headOffset() / perFile) {
                Done done = deleteFiles(queue);
                if (done instanceof Done.Failed failed) {
                    return failed;
                }
                folders.add(queue.files.folder());
            }
        }
        return disk.syncAll(List.of(), folders, Retention.LONGEST_SYNC) instanceof Done.Failed failed ? failed : null;
    }

    private Done deleteFiles(ConsumeQueue queue) {
        List<FileId> gone = new ArrayList<>();
        try {
            List<Long> bases = new ArrayList<>();
            for (FileEntry entry : disk.list(queue.files.folder())) {
                if (!entry.folder() && Names.offsetOf(entry.name()) >= 0) {
                    bases.add(Names.offsetOf(entry.name()));
                }
            }
            long kept = Math.min(queue.headOffset(), queue.flushed()) * EntryChunk.ENTRY_BYTES;
            for (int i = 0; i + 1 < bases.size() && bases.get(i + 1) <= kept; i++) {
                gone.add(queue.files.fileOf(bases.get(i) / EntryChunk.ENTRY_BYTES));
            }
        } catch (DiskFailed e) {
            return e.failure();
        }
        Done done = Done.Ok.NOTHING;
        for (int i = 0; i < gone.size() && done.isOk(); i++) {
            // Each for certain before the next: a crash must not leave a gap. The last is synced with other queues'.
            done = disk.delete(gone.get(i));
            done = done.isOk() && i + 1 < gone.size() ? disk.syncFolder(queue.files.folder()) : done;
        }
        return done;
    }
}
