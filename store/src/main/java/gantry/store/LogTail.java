package gantry.store;

import gantry.store.Disk.Done;
import gantry.wire.message.MessageLayout;
import gantry.wire.message.RecordView;
import gantry.wire.message.RecordWriter;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/// The one place where the log grows.
///
/// For:   placing, numbering and writing the records of a batch.
/// Owner: the log sequencer.
/// Never: confirms or answers anything.
/// Holds: LOG-1 a unit never spans two segments, and 8 bytes are left behind it; LOG-4 storeMillis never goes back;
///        LOG-5 a batch that was not written whole has used no offset.
final class LogTail {
    /// A segment's unused end starts with its length and a magic of its own.
    static final int BLANK_BYTES = 8;

    private final StoreConfig config;
    private final Disk disk;
    private final SegmentShelf shelf;
    private final ByteBuffer blank = ByteBuffer.allocateDirect(BLANK_BYTES);
    private final CRC32 crc = new CRC32();
    private final @Nullable RunningSum sum;
    private final RecordKeys keys = new RecordKeys();
    private final RecordView view = new RecordView();
    private final long unitLimit;
    private @Nullable KeyTrail trail;
    private @Nullable KeyTrail spareTrail;
    private long end;
    private long lastMillis;
    private long entryCount;

    /// Of these, fillers that queues began with since the log was opened.
    private long begunCount;

    private long dirtyTo;
    private Done.@Nullable Failed failure;

    /// @param entryCount how many queue entries exist, those of dropped messages included
    LogTail(StoreConfig config, Disk disk, SegmentShelf shelf, long end, long lastMillis, long entryCount) {
        this.config = config;
        this.disk = disk;
        this.shelf = shelf;
        this.end = end;
        this.lastMillis = lastMillis;
        this.entryCount = entryCount;
        this.dirtyTo = end;
        // What a unit leaves unused at the end of a file travels to other members in one piece.
        this.unitLimit =
                config.isOwned() ? Math.min(config.segmentBytes(), LogReading.MOST_BYTES) : config.segmentBytes();
        this.sum = config.integrity().sealsBlocks() ? new RunningSum(SealLayout.of(config.segmentBytes())) : null;
        this.trail = config.index().enabled() ? new KeyTrail(end) : null;
    }

    /// Where the next record may start.
    long end() {
        return end;
    }

    /// When the last record was stored.
    long lastMillis() {
        return lastMillis;
    }

    /// The sum of all queues' next offsets.
    long entryCount() {
        return entryCount;
    }

    /// A queue without entries here has given so many offsets elsewhere.
    void gave(long offsets) {
        entryCount += offsets;
        begunCount += offsets;
    }

    /// How many of the entries were added one by one, by this log or before it was opened.
    long addedCount() {
        return entryCount - begunCount;
    }

    /// Up to where a failed write may have left bytes; `end` when there are none.
    long dirtyTo() {
        return dirtyTo;
    }

    /// The bytes behind `end` are zero again.
    void scrubbed() {
        dirtyTo = end;
    }

    /// Writes the whole batch and adds its queue entries, or does nothing.
    ///
    /// @return null when it is done
    Done.@Nullable Failed append(AppendBatch batch, long wallMillis) {
        long millis = Math.max(wallMillis, lastMillis);
        long newEnd = place(batch);
        number(batch, millis);
        if (!write(batch)) {
            takeNumbersBack(batch);
            dirtyTo = newEnd;
            return failure;
        }
        end = newEnd;
        dirtyTo = newEnd;
        lastMillis = millis;
        entryCount += batch.count();
        batch.stored(newEnd, millis);
        addEntries(batch);
        leaveBehind(batch);
        return null;
    }

    /// Writes what is good of a copy as it is and adds its queue entries, or does nothing.
    ///
    /// @return null when it is done
    Done.@Nullable Failed copy(CheckedCopy copy) {
        ByteBuffer bytes = copy.bytes();
        int from = bytes.position();
        int count = copy.count();
        long begin = end;
        long newEnd = begin + copy.end(count - 1) - from;
        if (!writeRuns(copy, begin, from)) {
            copy.takeNumbersBack();
            dirtyTo = newEnd;
            return failure;
        }
        end = newEnd;
        dirtyTo = newEnd;
        lastMillis = copy.lastMillis();
        entryCount += copy.entryCount();
        copy.addEntries();
        KeyTrail left = trail;
        if (left != null) {
            left.add(copy, newEnd, keys, view);
        }
        return null;
    }

    /// One write per file; of its unused end only the blank record, since zeros are there already.
    private boolean writeRuns(CheckedCopy copy, long begin, int from) {
        int first = from;
        for (int i = 0; i < copy.count(); i++) {
            boolean blank = copy.isBlank(i);
            if (blank || i + 1 == copy.count()) {
                int runEnd = blank ? copy.start(i) + BLANK_BYTES : copy.end(i);
                ByteBuffer run = copy.bytes().slice(first, runEnd - first);
                if (!writeAt(begin + first - from, run)) {
                    return false;
                }
                RunningSum running = sum;
                if (running != null) {
                    running.pass(begin + first - from, run.rewind());
                }
                first = copy.end(i);
            }
        }
        return true;
    }

    /// What others would otherwise read the log again for.
    private void leaveBehind(AppendBatch batch) {
        KeyTrail left = trail;
        if (left != null) {
            left.add(batch, keys, view);
        }
        RunningSum running = sum;
        if (running != null) {
            for (int from = 0, to; from < batch.count(); from = to) {
                to = runEnd(batch, from);
                running.pass(batch.logOffset(from), batch.run(from, to));
            }
        }
    }

    /// The keys of what was appended since this was asked last.
    ///
    /// @return null when nobody follows the keys
    @Nullable
    KeyTrail takeKeys() {
        KeyTrail taken = trail;
        if (taken != null) {
            taken.end(end);
            KeyTrail next = spareTrail == null ? new KeyTrail(end) : spareTrail;
            spareTrail = null;
            next.begin(end);
            trail = next;
        }
        return taken;
    }

    /// A trail that was taken is not used any more.
    void giveBack(KeyTrail used) {
        spareTrail = used;
    }

    /// The sums of the blocks that were filled since this was asked last.
    BlockSums takeSums() {
        return sum == null ? new BlockSums() : sum.take();
    }

    /// Whether every record and unit of it could be stored at all.
    boolean fits(AppendBatch batch) {
        long unit = 0;
        for (int i = 0; i < batch.count(); i++) {
            int size = batch.size(i);
            unit = batch.continuesUnit(i) ? unit + size : size;
            if (size <= 0 || size > config.maxRecordBytes() || unit + BLANK_BYTES > unitLimit) {
                return false;
            }
        }
        return true;
    }

    private long place(AppendBatch batch) {
        long segmentBytes = config.segmentBytes();
        long at = end;
        long segmentEnd = at - at % segmentBytes + segmentBytes;
        int i = 0;
        while (i < batch.count()) {
            int unitEnd = i + 1;
            long unit = batch.size(i);
            while (unitEnd < batch.count() && batch.continuesUnit(unitEnd)) {
                unit += batch.size(unitEnd++);
            }
            if (at + unit + BLANK_BYTES > segmentEnd) {
                at = segmentEnd;
                segmentEnd += segmentBytes;
            }
            for (; i < unitEnd; i++) {
                batch.place(i, at);
                at += batch.size(i);
            }
        }
        return at;
    }

    private void number(AppendBatch batch, long millis) {
        ByteBuffer staging = batch.staging();
        for (int i = 0; i < batch.count(); i++) {
            long queueOffset = batch.queue(i).number();
            batch.number(i, queueOffset);
            RecordWriter.number(staging, batch.start(i), queueOffset, batch.logOffset(i), millis);
        }
        if (config.integrity().recordCrc()) {
            for (int i = 0; i < batch.count(); i++) {
                RecordWriter.sum(staging, batch.start(i), crc);
            }
        }
    }

    private void takeNumbersBack(AppendBatch batch) {
        for (int i = 0; i < batch.count(); i++) {
            batch.queue(i).unnumber();
        }
    }

    private void addEntries(AppendBatch batch) {
        for (int i = 0; i < batch.count(); i++) {
            batch.queue(i).add(batch.logOffset(i), batch.size(i), batch.tagsCode(i));
        }
    }

    /// One write per run of records that lie side by side in the staging buffer and in the log.
    private boolean write(AppendBatch batch) {
        long at = end;
        int from = 0;
        while (from < batch.count()) {
            if (batch.logOffset(from) != at && !writeBlank(at)) {
                return false;
            }
            int to = runEnd(batch, from);
            at = batch.logOffset(from);
            ByteBuffer run = batch.run(from, to);
            if (!writeAt(at, run)) {
                return false;
            }
            at += run.remaining();
            from = to;
        }
        return true;
    }

    private static int runEnd(AppendBatch batch, int from) {
        int to = from + 1;
        while (to < batch.count() && batch.follows(to)) {
            to++;
        }
        return to;
    }

    private boolean writeBlank(long at) {
        long left = config.segmentBytes() - at % config.segmentBytes();
        blank.putInt(0, (int) left);
        blank.putInt(MessageLayout.MAGIC, MessageLayout.MAGIC_BLANK);
        return writeAt(at, blank);
    }

    private boolean writeAt(long logOffset, ByteBuffer bytes) {
        Segment segment = shelf.reach(logOffset);
        if (segment == null) {
            failure = shelf.failure();
            return false;
        }
        if (disk.write(segment.file(), logOffset - segment.base(), bytes) instanceof Done.Failed failed) {
            failure = failed;
            return false;
        }
        return true;
    }
}
