package gantry.store;

import gantry.store.Disk.Done;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Walks over the entries of one queue.
///
/// For:   reading entries from memory or from the files, a block at a time.
/// Owner: whoever made it, for one walk.
/// Never: entries at or above the end it was given.
final class Entries {
    private final Disk disk;
    private final ConsumeQueue queue;
    private final ByteBuffer block;
    private long blockStart;
    private int blockCount;
    private int at;
    private @Nullable String failure;

    /// @param blockEntries how many to read at once
    Entries(Disk disk, ConsumeQueue queue, int blockEntries) {
        this.disk = disk;
        this.queue = queue;
        this.block = ByteBuffer.allocate(blockEntries * EntryChunk.ENTRY_BYTES);
    }

    /// Over entries that are in memory already; nothing else is read.
    Entries(Disk disk, AheadBlock ahead) {
        this.disk = disk;
        this.queue = ahead.queue();
        this.block = ahead.entries();
        this.blockStart = ahead.from();
        this.blockCount = ahead.count();
    }

    /// Goes to an entry below `end`, which is not above the queue's `maxOffset`.
    ///
    /// @return false when it cannot be read; see `failure`
    boolean moveTo(long queueOffset, long end) {
        if (queueOffset < blockStart || queueOffset >= blockStart + blockCount) {
            fill(queueOffset, end);
            if (blockCount == 0) {
                return false;
            }
        }
        at = (int) (queueOffset - blockStart) * EntryChunk.ENTRY_BYTES;
        return true;
    }

    long logOffset() {
        return block.getLong(at);
    }

    int size() {
        return block.getInt(at + EntryChunk.SIZE_AT);
    }

    long tagsCode() {
        return block.getLong(at + EntryChunk.TAGS_AT);
    }

    /// Whether it only fills the place before the queue's first message.
    boolean isFiller() {
        return size() == QueueFiles.FILLER_SIZE && logOffset() == 0;
    }

    /// Why the last `moveTo` did not succeed.
    @Nullable
    String failure() {
        return failure;
    }

    private void fill(long from, long end) {
        blockStart = from;
        blockCount = 0;
        block.clear();
        int wanted = (int) Math.min(block.capacity() / EntryChunk.ENTRY_BYTES, end - from);
        EntryChunk chunk = queue.chunkOf(from);
        if (chunk.covers(from)) {
            block.put(chunk.slice(from, from + wanted));
        } else {
            // What lies behind is still in memory only; the file has zeros there. Looked at after `chunkOf`, which
            // finds
            // nothing only for entries that were flushed before.
            wanted = (int) Math.min(wanted, queue.flushed() - from);
            block.limit(wanted * EntryChunk.ENTRY_BYTES);
            if (queue.files.read(disk, from, block) instanceof Done.Failed failed) {
                failure = failed.sentence();
                return;
            }
        }
        blockCount = block.position() / EntryChunk.ENTRY_BYTES;
        if (blockCount == 0) {
            failure = disk.describe(queue.files.fileOf(from)) + " ends before entry " + from + " of queue " + queue;
        }
    }
}
