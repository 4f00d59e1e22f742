package gantry.store;

import gantry.store.Disk.Done;
import gantry.store.Disk.FileEntry;
import gantry.wire.message.RecordView;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Compares the entries of one queue with the records of the log, which come in the log's order.
///
/// For:   saying of each entry whether it is there and tells the truth.
/// Owner: one check.
/// Never: changes anything; the log is right where the two differ.
final class QueueCheck {
    /// So many empty entries behind the last one are looked through for entries that do not belong there.
    private static final int LOOK_BEHIND = 1024;

    /// Codes outside of these are no codes of tags: times at which delayed messages are due, or places in other files.
    private static final long LOWEST_TAGS_CODE = Integer.MIN_VALUE;

    private static final long HIGHEST_TAGS_CODE = Integer.MAX_VALUE;

    private final Disk disk;
    private final QueueFiles files;
    private final String name;
    private final EntryRule rule;
    private final Findings findings;
    private final ByteBuffer block;
    private final long minLogOffset;
    private long blockStart;
    private int blockCount;
    private boolean broken;
    private boolean seen;
    private long first;
    private long next;
    private long matched;
    private long wrong;
    private long missing;
    private long pending;
    private @Nullable String sample;
    private long sampleOffset;

    /// @param minLogOffset where the log begins
    /// @param blockEntries how many entries are read at once; many queues are checked at the same time
    QueueCheck(
            Disk disk,
            StoreShape.QueueKey key,
            long queueFileBytes,
            EntryRule rule,
            Findings findings,
            long minLogOffset,
            int blockEntries) {
        this.minLogOffset = minLogOffset;
        this.disk = disk;
        this.files = new QueueFiles(key.topic(), key.queueId(), queueFileBytes);
        this.name = key.topic() + "/" + key.queueId();
        this.rule = rule;
        this.findings = findings;
        this.block = ByteBuffer.allocate(blockEntries * EntryChunk.ENTRY_BYTES);
    }

    /// Looks at names and lengths.
    void shape(List<FileEntry> entries, boolean clean) {
        long expected = -1;
        for (FileEntry entry : entries) {
            long base = Names.offsetOf(entry.name());
            FileId file = new FileId(files.folder() + "/" + entry.name());
            if (base % files.fileBytes() != 0) {
                damaged(file, "starts at a place that is not a multiple of " + files.fileBytes());
            } else if (expected >= 0 && base != expected) {
                damaged(file, "does not follow on the file before it");
            } else if (entry.bytes() > files.fileBytes() || (clean && entry.bytes() != files.fileBytes())) {
                damaged(file, "has " + entry.bytes() + " bytes instead of " + files.fileBytes());
            }
            expected = base + files.fileBytes();
        }
    }

    private void damaged(FileId file, String what) {
        broken = true;
        findings.bad(file, -1, what + "; the queue has to be rebuilt from the log");
    }

    /// The next record of the log that belongs to this queue.
    ///
    /// @param certain whether its entry must be on disk
    /// @param afterDamage whether messages before it may have been lost
    void record(RecordView record, boolean certain, boolean afterDamage) {
        long offset = record.queueOffset();
        FileId file = files.fileOf(offset);
        long position = files.positionOf(offset);
        if (!seen) {
            seen = true;
            first = offset;
            next = offset;
            if (offset > 0 && isEntryOfLostRecord(offset - 1, record.logOffset())) {
                // Behind it nothing is known of the messages before.
                findings.add(
                        afterDamage,
                        file,
                        position,
                        "the log has no message for the entries of queue " + name + " before offset " + offset);
            }
        }
        if (offset < next) {
            findings.bad(
                    file,
                    position,
                    "offset " + offset + " of queue " + name + " was given twice: also to the"
                            + " message at log offset " + record.logOffset());
            return;
        }
        if (offset > next) {
            findings.add(
                    afterDamage,
                    files.fileOf(next),
                    files.positionOf(next),
                    "the log has no message for offset " + next + (offset - next > 1 ? " to " + (offset - 1) : "")
                            + " of queue " + name);
        }
        next = offset + 1;
        compare(record, certain);
    }

    private void compare(RecordView record, boolean certain) {
        int at = load(record.queueOffset());
        long logOffset = at < 0 ? 0 : block.getLong(at);
        int size = at < 0 ? 0 : block.getInt(at + EntryChunk.SIZE_AT);
        long tagsCode = at < 0 ? 0 : block.getLong(at + EntryChunk.TAGS_AT);
        if (logOffset == record.logOffset() && size == record.size()) {
            boolean isOfTag = tagsCode >= LOWEST_TAGS_CODE && tagsCode <= HIGHEST_TAGS_CODE;
            if (!isOfTag || tagsCode == rule.tagsCode(record)) {
                matched++;
                return;
            }
            sample(record.queueOffset(), "has the code " + tagsCode + " of another tag");
            wrong++;
        } else if (!certain) {
            pending++;
        } else if (size == 0) {
            sample(record.queueOffset(), "is not there");
            missing++;
        } else {
            sample(
                    record.queueOffset(),
                    "points at log offset " + logOffset + " (" + size + " bytes) instead of " + record.logOffset()
                            + " (" + record.size() + " bytes)");
            wrong++;
        }
    }

    private void sample(long offset, String what) {
        if (sample == null) {
            sample = "entry " + offset + " " + what;
            sampleOffset = offset;
        }
    }

    private boolean isEntryOfLostRecord(long offset, long before) {
        int at = load(offset);
        if (at < 0) {
            return false;
        }
        int size = block.getInt(at + EntryChunk.SIZE_AT);
        long logOffset = block.getLong(at);
        return size > 0 && size != QueueFiles.FILLER_SIZE && logOffset >= minLogOffset && logOffset < before;
    }

    /// After the last record.
    ///
    /// @param clean whether the store was stopped cleanly, so that nothing may stand behind the log's end
    void finish(boolean clean, boolean damagedLog, List<FileEntry> entries) {
        long bytes = 0;
        for (FileEntry entry : entries) {
            bytes += entry.bytes();
        }
        FileId folder = new FileId(files.folder());
        if (wrong + missing > 0) {
            broken = true;
            findings.bad(
                    files.fileOf(sampleOffset),
                    files.positionOf(sampleOffset),
                    (wrong + missing) + " entries of queue " + name + " do not match their messages or are missing: "
                            + sample);
        }
        if (pending > 0) {
            findings.note(
                    folder,
                    -1,
                    pending + " entries of queue " + name + " were not written before the stop; the"
                            + " next start makes them from the log");
        }
        long end = seen ? endOfFiles() : -1;
        if (end > next) {
            findings.add(
                    !clean || damagedLog,
                    files.fileOf(end - 1),
                    files.positionOf(end - 1),
                    (end - next) + " entries of queue " + name + " stand behind its last message, offset "
                            + (next - 1));
        }
        String state = broken ? "to be rebuilt" : pending > 0 ? pending + " entries to be made" : "ok";
        findings.line(
                "queue", folder, bytes, seen ? first : -1, seen ? next : -1, matched, seen ? state : "no messages");
    }

    /// Whether it has to be rebuilt.
    boolean isBroken() {
        return broken;
    }

    private long endOfFiles() {
        long end = next;
        for (long at = next; at < end + LOOK_BEHIND; at++) {
            int found = load(at);
            if (found < 0) {
                break;
            }
            int size = block.getInt(found + EntryChunk.SIZE_AT);
            if (size != 0 && size != QueueFiles.FILLER_SIZE) {
                end = at + 1;
            } else if (size == QueueFiles.FILLER_SIZE && end == at) {
                // An offset that is known to be lost.
                next = at + 1;
                end = next;
            }
        }
        return end;
    }

    /// @return where the entry stands in the block, -1 when the files do not have it
    private int load(long offset) {
        if (offset < blockStart || offset >= blockStart + blockCount) {
            blockStart = offset;
            block.clear();
            int room = (int) Math.min(block.capacity() / EntryChunk.ENTRY_BYTES, files.roomFrom(offset));
            block.limit(room * EntryChunk.ENTRY_BYTES);
            if (files.read(disk, offset, block) instanceof Done.Failed failed && failed.kind() != Done.Kind.MISSING) {
                findings.bad(files.fileOf(offset), files.positionOf(offset), failed.sentence());
                broken = true;
            }
            blockCount = block.position() / EntryChunk.ENTRY_BYTES;
        }
        return blockCount == 0 ? -1 : (int) (offset - blockStart) * EntryChunk.ENTRY_BYTES;
    }
}
