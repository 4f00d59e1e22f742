package gantry.store;

import gantry.base.Clock;
import gantry.base.Image;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Queue entries and log pages that consumers far behind are about to need, read before they ask.
///
/// ```
///   queue:  … │ being pulled ▸   half of it pulled: the next block is read │ next block │ …
/// ```
/// For:   answering a catch-up pull where it arrives: one hand-over to a thread that may wait for the disk
///        serves a thousand messages instead of one pull.
/// Owner: none; a cache in which any thread that may wait for the disk replaces blocks.
/// Never: waits in `find`; holds a page: a block that is not used within `FRESH` counts as gone, because the kernel may
///        have taken its pages back by then.
final class ReadAhead {
    /// Blocks that are kept, of all queues together: at most 5 MB.
    static final int BLOCKS = 256;

    /// Blocks that one queue may have, which it shares with others of the same hash: so many groups can
    /// be at different places of it.
    private static final int WAYS = 4;

    static final int MOST_ENTRIES = 1024;

    /// Log bytes of one block; its first message may be larger.
    static final int MOST_BYTES = 1 << 20;

    static final Duration FRESH = Duration.ofSeconds(2);

    private final Disk disk;
    private final Log log;
    private final Clock clock;
    /// By hash of the queue; of each the newest first.
    private final List<Image<List<AheadBlock>>> shelves = new ArrayList<>(BLOCKS / WAYS);

    ReadAhead(Disk disk, Log log, Clock clock) {
        this.disk = disk;
        this.log = log;
        this.clock = clock;
        for (int i = 0; i < BLOCKS / WAYS; i++) {
            shelves.add(new Image<>(List.of()));
        }
    }

    /// The block from which a fetch can begin without waiting for the disk.
    @Nullable
    AheadBlock find(ConsumeQueue queue, long queueOffset) {
        List<AheadBlock> blocks = shelfOf(queue).read();
        long now = clock.nanos();
        for (int i = 0; i < blocks.size(); i++) {
            AheadBlock block = blocks.get(i);
            if (block.covers(queue, queueOffset) && now - block.readNanos() < FRESH.toNanos()) {
                return block;
            }
        }
        return null;
    }

    /// Reads the block that starts at an offset. Waits for the disk.
    void read(ConsumeQueue queue, long from) {
        Missing missing = queue.missing();
        if (missing.covers(from)) {
            return;
        }
        long end = from < missing.from() ? missing.from() : queue.maxOffset();
        int count = (int) Math.min(MOST_ENTRIES, end - from);
        if (count <= 0 || from < queue.minOffset() || find(queue, from) != null) {
            return;
        }
        AheadBlock block = fill(queue, from, count);
        if (block != null) {
            place(block);
        }
    }

    private @Nullable AheadBlock fill(ConsumeQueue queue, long from, int count) {
        ByteBuffer entries = ByteBuffer.allocate(count * EntryChunk.ENTRY_BYTES);
        Entries walk = new Entries(disk, queue, count);
        long end = from + count;
        TouchedPages pages = new TouchedPages();
        long bytes = 0;
        for (long offset = from; offset < end && bytes < MOST_BYTES && walk.moveTo(offset, end); offset++) {
            if (!walk.isFiller() && walk.size() > 0) {
                bytes += walk.size();
                if (!touch(pages, walk.logOffset(), walk.size())) {
                    break;
                }
            }
            entries.putLong(walk.logOffset()).putInt(walk.size()).putLong(walk.tagsCode());
        }
        int read = entries.position() / EntryChunk.ENTRY_BYTES;
        return read == 0 ? null : new AheadBlock(queue, from, read, entries.flip(), clock.nanos());
    }

    /// Looks at each page of a record, so that it is in memory and mapped.
    ///
    /// @return false when the disk cannot give one: the block ends before it, and whoever fetches it is told
    private boolean touch(TouchedPages pages, long logOffset, int size) {
        Segment segment = log.segments().find(logOffset);
        if (segment == null || !segment.take()) {
            return true;
        }
        try {
            int at = (int) (logOffset - segment.base());
            return pages.areThere(segment, at, Math.min(size, segment.bytes().capacity() - at));
        } finally {
            segment.giveBack();
        }
    }

    /// In place of the one that was read first. If two threads do so at once one block may be lost, and is read again.
    private void place(AheadBlock block) {
        Image<List<AheadBlock>> shelf = shelfOf(block.queue());
        List<AheadBlock> blocks = new ArrayList<>(WAYS);
        blocks.add(block);
        shelf.read().stream().limit(WAYS - 1).forEach(blocks::add);
        shelf.publish(List.copyOf(blocks));
    }

    private Image<List<AheadBlock>> shelfOf(ConsumeQueue queue) {
        int hash = queue.topic().hashCode() * 31 + queue.queueId();
        return shelves.get((hash ^ (hash >>> 16)) & (BLOCKS / WAYS - 1));
    }
}
