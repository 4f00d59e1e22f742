package gantry.store;

import gantry.store.Disk.Done;
import gantry.store.Disk.FileEntry;
import java.util.List;

/// The files that a dropped topic leaves.
///
/// For:   deleting them, while the broker serves and at start.
/// Owner: whoever made it; waits for the disk.
/// Never: a file that a topic of the same name made since: those begin where the dropped topic's row says, or behind.
final class TopicFiles {
    private final Disk disk;
    private final String folder;
    private final long fileBytes;

    TopicFiles(Disk disk, String topic, long fileBytes) {
        this.disk = disk;
        this.folder = QueueFiles.ROOT + "/" + topic;
        this.fileBytes = fileBytes;
    }

    /// Deletes the files of entries below `begin` of all queues.
    ///
    /// @param folders gets the folders that may be empty now, innermost first
    Done deleteBelow(long begin, List<String> folders) {
        Done done = Done.Ok.NOTHING;
        try {
            for (FileEntry id : disk.list(folder)) {
                if (QueueLoads.queueIdOf(id) >= 0) {
                    String queue = folder + "/" + id.name();
                    Done one = deleteBelow(begin, queue);
                    done = one.isOk() ? done : one;
                    folders.add(queue);
                }
            }
        } catch (DiskFailed e) {
            return e.failure();
        }
        folders.add(folder);
        return done;
    }

    /// Deletes the files of entries below `begin` in the folder of one queue.
    Done deleteBelow(long begin, String queue) throws DiskFailed {
        Done done = Done.Ok.NOTHING;
        for (FileEntry file : disk.list(queue)) {
            if (isBelow(file, begin)) {
                Done one = disk.delete(new FileId(queue + "/" + file.name()));
                done = one.isOk() ? done : one;
            }
        }
        return done;
    }

    /// Whether a queue file lies below an entry that begins a file.
    boolean isBelow(FileEntry file, long begin) {
        long base = Names.offsetOf(file.name());
        return !file.folder() && base >= 0 && base / fileBytes < begin * EntryChunk.ENTRY_BYTES / fileBytes;
    }
}
