package gantry.store;

import gantry.store.Disk.Done;
import java.nio.ByteBuffer;

/// The missing part of one queue, on its way back into files.
///
/// ```
///   begin of the file │ fillers │ first … entries of records, in the log's order … │ fillers │ the queue goes on
///                                ▲ first         written ▲       next ▲                       ▲ end
/// ```
/// For:   gathering entries and writing them in blocks.
/// Owner: the rebuild's sequencer.
/// Never: an entry at or behind `end`; those are the live queue's.
final class RebuiltQueue {
    private static final int FIRST_BYTES = 64 * EntryChunk.ENTRY_BYTES;

    private final ConsumeQueue queue;
    private final long end;
    private ByteBuffer waiting = ByteBuffer.allocate(FIRST_BYTES);
    private long first = -1;
    private long written;
    private long next;
    private long createdFile = -1;

    RebuiltQueue(ConsumeQueue queue, long end) {
        this.queue = queue;
        this.end = end;
    }

    ConsumeQueue queue() {
        return queue;
    }

    /// The offset of the first message that the log still has; `end` when there is none.
    long first() {
        return first < 0 ? end : first;
    }

    /// Entries below it are in the files.
    long written() {
        return written;
    }

    /// The offset of the next entry.
    long next() {
        return next;
    }

    long end() {
        return end;
    }

    boolean isBegun() {
        return first >= 0;
    }

    /// Begins with the file that holds an offset, so that every file is whole.
    void begin(long offset) {
        first = offset;
        next = offset - queue.files.positionOf(offset) / EntryChunk.ENTRY_BYTES;
        written = next;
    }

    /// Only fillers stand before its end.
    void startsAtEnd() {
        first = end;
    }

    void put(long logOffset, int size, long tagsCode) {
        if (!waiting.hasRemaining()) {
            waiting = ByteBuffer.allocate(waiting.capacity() * 2).put(waiting.flip());
        }
        waiting.putLong(logOffset).putInt(size).putLong(tagsCode);
        next++;
    }

    /// Writes what waits; after a failure the rest of it waits on.
    Done write(Disk disk, QueueWriter.Touched touched) {
        QueueFiles files = queue.files;
        Done done = Done.Ok.NOTHING;
        while (written < next && done.isOk()) {
            long to = Math.min(next, written + files.roomFrom(written));
            FileId file = files.fileOf(written);
            long base = written - files.positionOf(written) / EntryChunk.ENTRY_BYTES;
            if (base != createdFile) {
                done = disk.create(file, files.fileBytes());
                touched.files().add(file);
                createdFile = base;
            }
            int from = waiting.position() - (int) (next - written) * EntryChunk.ENTRY_BYTES;
            ByteBuffer block = waiting.slice(from, (int) (to - written) * EntryChunk.ENTRY_BYTES);
            done = done.isOk() ? disk.write(file, files.positionOf(written), block) : done;
            if (done.isOk()) {
                written = to;
            } else {
                createdFile = -1;
            }
        }
        if (written == next) {
            waiting = waiting.capacity() > FIRST_BYTES * 16 ? ByteBuffer.allocate(FIRST_BYTES) : waiting.clear();
        }
        return done;
    }
}
