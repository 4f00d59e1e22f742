package gantry.store;

import gantry.base.Notices;
import gantry.store.Disk.Done;
import gantry.store.Disk.FileEntry;
import gantry.wire.message.Check;
import gantry.wire.message.RecordView;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Finds out how much of one queue's files can be believed.
///
/// For:   where a queue starts and ends, given that the entries of all records below a place in the log are on disk.
/// Owner: recovery.
/// Never: believes an entry at or above that place, or one that its record in the log does not bear out.
final class QueueLoad {
    private static final int BLOCK_ENTRIES = 256;

    private final ConsumeQueue queue;
    private final Disk disk;
    private final Segments segments;
    private final long trustedLogOffset;
    private final RecordView view = new RecordView();
    private final ByteBuffer block = ByteBuffer.allocate(BLOCK_ENTRIES * EntryChunk.ENTRY_BYTES);
    private long blockIndex = -1;
    private long firstEntry;
    private long capacityEnd;

    QueueLoad(ConsumeQueue queue, Disk disk, Segments segments, long trustedLogOffset) {
        this.queue = queue;
        this.disk = disk;
        this.segments = segments;
        this.trustedLogOffset = trustedLogOffset;
    }

    /// @param clean whether a file of the wrong length has no excuse
    /// @return false when the files make no sense: the queue has to be rebuilt from the log
    boolean run(boolean clean, Notices notices) throws DiskFailed {
        return run(clean, null, notices);
    }

    /// @param known what was written down of the queue, where it is looked first; null when nothing was
    boolean run(boolean clean, QueueEnds.@Nullable End known, Notices notices) throws DiskFailed {
        List<Long> bases = new ArrayList<>();
        for (FileEntry entry : disk.list(queue.files.folder())) {
            long base = Names.offsetOf(entry.name());
            if (!entry.folder() && base >= 0) {
                String wrong = wrongWith(entry, base, bases, clean);
                if (!wrong.isEmpty()) {
                    notices.warn(disk.describe(new FileId(queue.files.folder() + "/" + entry.name())) + " " + wrong
                            + "; the queue is rebuilt from the commit log.");
                    return false;
                }
                bases.add(base);
            }
        }
        if (bases.isEmpty()) {
            return true;
        }
        firstEntry = bases.get(0) / EntryChunk.ENTRY_BYTES;
        capacityEnd = (bases.get(bases.size() - 1) + queue.files.fileBytes()) / EntryChunk.ENTRY_BYTES;
        String hollow = hollowFile(bases);
        if (!hollow.isEmpty()) {
            notices.warn(hollow + "; the queue is rebuilt from the commit log.");
            return false;
        }
        long end = firstNot(firstEntry, capacityEnd, known == null ? -1 : known.end(), this::isTrusted);
        // What a clean stop wrote down, with a checksum, and the file says too, needs no proof from the log.
        if (!clean || known == null || end != known.end()) {
            end = provenEnd(end);
        }
        queue.recover(firstNot(firstEntry, end, known == null ? -1 : known.min(), this::isBeforeLog), end);
        return true;
    }

    /// What does not agree with what was written down at the checkpoint; empty when everything does.
    String wrongWith(QueueEnds.End known) throws DiskFailed {
        long end = queue.next();
        if (end > known.end()) {
            return "has entries up to offset " + end + ", though it ended at " + known.end();
        }
        if (end < known.end() && !(isBehindTrusted(end) && isBehindTrusted(known.end() - 1))) {
            return "ends at offset " + end + " instead of " + known.end();
        }
        return firstEntry > known.min() && doubtfulHead() >= 0
                ? "begins at offset " + firstEntry + " instead of " + known.min()
                : "";
    }

    /// An entry of a record behind the place up to which entries are trusted.
    private boolean isBehindTrusted(long entry) throws DiskFailed {
        if (entry < firstEntry || entry >= capacityEnd) {
            return false;
        }
        int at = load(entry);
        return isFiller(at) || (block.getInt(at + EntryChunk.SIZE_AT) > 0 && block.getLong(at) >= trustedLogOffset);
    }

    /// Where the last file ends; no offset at or above it was ever given.
    long capacityEnd() {
        return capacityEnd;
    }

    private String wrongWith(FileEntry entry, long base, List<Long> before, boolean clean) {
        long fileBytes = queue.files.fileBytes();
        if (base % fileBytes != 0) {
            return "does not start at a multiple of " + fileBytes + " bytes";
        }
        capacityEnd = Math.max(capacityEnd, (base + fileBytes) / EntryChunk.ENTRY_BYTES);
        if (!before.isEmpty() && base != before.get(before.size() - 1) + fileBytes) {
            return "does not follow on the file before it";
        }
        // A crash in the middle of creating or cutting a file leaves it short.
        if (entry.bytes() > fileBytes || (clean && entry.bytes() != fileBytes)) {
            return "has " + entry.bytes() + " bytes instead of " + fileBytes;
        }
        return "";
    }

    /// The log offset of the queue's first entry, if the log is old enough to have messages before it: then a file may
    /// have been lost, or all of them have expired. -1 when there is nothing to ask.
    long doubtfulHead() throws DiskFailed {
        if (firstEntry == queue.begin() || queue.next() == firstEntry) {
            return -1;
        }
        int at = load(firstEntry);
        long logOffset = block.getLong(at);
        return isFiller(at) || logOffset < segments.minOffset() ? -1 : logOffset;
    }

    /// A file is full when the next one begins with an entry that can be believed. Only its edges are looked
    /// at: a start must not take longer because a queue is long.
    private String hollowFile(List<Long> bases) throws DiskFailed {
        long perFile = queue.files.entriesPerFile();
        for (int i = 0; i + 1 < bases.size(); i++) {
            long first = bases.get(i) / EntryChunk.ENTRY_BYTES;
            if (!isReal(first + perFile)) {
                continue;
            }
            long before = block.getLong(load(first + perFile));
            for (long edge : new long[] {first + perFile - 1, first}) {
                if (isFiller(load(edge))) {
                    continue;
                }
                if (!isReal(edge) || block.getLong(load(edge)) >= before) {
                    return disk.describe(queue.files.fileOf(edge)) + " lacks entry " + edge;
                }
                before = block.getLong(load(edge));
            }
        }
        return "";
    }

    /// A believable entry of a message.
    private boolean isReal(long entry) throws DiskFailed {
        return !isFiller(load(entry)) && isTrusted(entry);
    }

    private interface Test {
        boolean holds(long entry) throws DiskFailed;
    }

    /// The first entry for which `test` does not hold, when it holds for all before it and for none behind.
    ///
    /// @param likely where that probably is: with tens of thousands of queues a start has no time to search in each
    private static long firstNot(long from, long to, long likely, Test test) throws DiskFailed {
        boolean isThere = likely >= from
                && likely <= to
                && (likely == to || !test.holds(likely))
                && (likely == from || test.holds(likely - 1));
        if (isThere) {
            return likely;
        }
        long low = from;
        long high = to;
        while (low < high) {
            long middle = (low + high) >>> 1;
            if (test.holds(middle)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /// Entries behind the trusted part may be torn and look like earlier ones, so the last one has to be proven.
    private long provenEnd(long end) throws DiskFailed {
        long proven = end;
        while (proven > firstEntry && !(isTrusted(proven - 1) && isProven(proven - 1))) {
            proven--;
        }
        return proven;
    }

    private boolean isTrusted(long entry) throws DiskFailed {
        int at = loadDeciding(entry);
        if (at < 0) {
            return true;
        }
        long logOffset = block.getLong(at);
        int size = block.getInt(at + EntryChunk.SIZE_AT);
        return logOffset >= 0 && size > 0 && logOffset + size <= trustedLogOffset;
    }

    private boolean isProven(long entry) throws DiskFailed {
        int at = load(entry);
        long logOffset = block.getLong(at);
        int size = block.getInt(at + EntryChunk.SIZE_AT);
        if (size == QueueFiles.FILLER_SIZE || logOffset < segments.minOffset()) {
            return true;
        }
        Segment segment = segments.find(logOffset);
        if (segment == null) {
            return false;
        }
        int place = (int) (logOffset - segment.base());
        int near = Math.min(size, segment.bytes().capacity() - place);
        return near > 0
                && Mapped.isThere(segment.bytes(), place, near)
                && view.wrap(segment.bytes(), place, segment.bytes().capacity(), false) == Check.OK
                && view.size() == size
                && view.logOffset() == logOffset
                && view.queueOffset() == entry
                && view.queueId() == queue.queueId()
                && view.topic().equals(queue.topic());
    }

    private boolean isBeforeLog(long entry) throws DiskFailed {
        int at = loadDeciding(entry);
        return at < 0 || block.getLong(at) < segments.minOffset();
    }

    /// An entry that only fills a place tells nothing: what holds of the last real one before it holds of it.
    ///
    /// @return -1 for the places before the queue's first message, which are certain and hold nothing
    private int loadDeciding(long entry) throws DiskFailed {
        for (long at = entry; at >= firstEntry; at--) {
            int found = load(at);
            if (!isFiller(found)) {
                return found;
            }
        }
        return -1;
    }

    private boolean isFiller(int at) {
        return block.getInt(at + EntryChunk.SIZE_AT) == QueueFiles.FILLER_SIZE && block.getLong(at) == 0;
    }

    /// Brings the entry's block into memory; what a short file does not have is zero.
    ///
    /// @return where the entry stands in the block
    private int load(long entry) throws DiskFailed {
        long index = entry / BLOCK_ENTRIES;
        if (index != blockIndex) {
            block.clear();
            block.put(new byte[block.capacity()]).clear();
            long from = index * BLOCK_ENTRIES;
            while (block.hasRemaining() && from < capacityEnd) {
                from = loadFrom(from);
            }
            blockIndex = index;
        }
        return (int) (entry % BLOCK_ENTRIES) * EntryChunk.ENTRY_BYTES;
    }

    /// Reads up to the end of a file.
    private long loadFrom(long entry) throws DiskFailed {
        int room = block.remaining() / EntryChunk.ENTRY_BYTES;
        int wanted = (int) Math.min(room, queue.files.roomFrom(entry));
        int start = block.position();
        if (entry + wanted > firstEntry) {
            block.limit(start + wanted * EntryChunk.ENTRY_BYTES);
            Done done = queue.files.read(disk, entry, block);
            if (done instanceof Done.Failed failed && failed.kind() != Done.Kind.MISSING) {
                throw new DiskFailed(failed);
            }
        }
        block.limit(block.capacity()).position(start + wanted * EntryChunk.ENTRY_BYTES);
        return entry + wanted;
    }
}
