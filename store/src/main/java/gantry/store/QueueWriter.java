package gantry.store;

import gantry.store.Disk.Done;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;

/// Writes visible entries from memory to the queue files, in blocks.
///
/// For:   the queue flush, and recovery.
/// Owner: recovery, then the queue sequencer.
/// Never: syncs; it remembers what it touched.
final class QueueWriter {
    /// Queue files that were written, and folders in which names came or went, since somebody made them durable.
    record Touched(Set<FileId> files, Set<String> folders) {
        Touched() {
            this(new LinkedHashSet<>(), new LinkedHashSet<>());
        }

        void addAll(Touched others) {
            files.addAll(others.files);
            folders.addAll(others.folders);
        }

        /// Waits for the disk, but not longer than `limit`.
        Done sync(Disk disk, Duration limit) {
            return disk.syncAll(files, folders, limit);
        }
    }

    private final Disk disk;
    private Touched touched = new Touched();

    QueueWriter(Disk disk) {
        this.disk = disk;
    }

    Touched touched() {
        return touched;
    }

    Touched takeTouched() {
        Touched taken = touched;
        touched = new Touched();
        return taken;
    }

    /// Writes everything that is visible, may be written and is not in the files; what was written before a
    /// failure stays written.
    Done write(ConsumeQueue queue) {
        long end = Math.min(queue.maxOffset(), queue.writableTo);
        Done done = Done.Ok.NOTHING;
        while (queue.flushed() < end && done.isOk()) {
            done = writeBlock(queue, queue.flushed(), end);
        }
        return done;
    }

    private Done writeBlock(ConsumeQueue queue, long from, long end) {
        QueueFiles files = queue.files;
        EntryChunk chunk = queue.chunkOf(from);
        long to = Math.min(Math.min(end, chunk.base + chunk.capacity), from + files.roomFrom(from));
        FileId file = files.fileOf(from);
        long position = files.positionOf(from);
        if (position == 0) {
            Done created = disk.create(file, files.fileBytes());
            if (!created.isOk()) {
                return created;
            }
            touched.folders.add(files.folder());
        }
        touched.files.add(file);
        Done done = disk.write(file, position, chunk.slice(from, to));
        if (done.isOk()) {
            queue.flushedTo(to);
        }
        return done;
    }
}
