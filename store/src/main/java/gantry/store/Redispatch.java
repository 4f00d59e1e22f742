package gantry.store;

import gantry.base.Invariant;
import gantry.base.Notices;
import gantry.store.Disk.Done;
import gantry.store.Disk.FileEntry;
import gantry.wire.message.MessageFlags;
import gantry.wire.message.RecordView;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/// Gives records of the log their queue entries again.
///
/// ```
///   a record behind the checkpoint ─▶ the queue's files are good ─▶ its entry waits in memory for the queue flush
///                             │           └── a block's worth, or files that must not end sooner ─▶ written
///                             └── they are lost, or make no sense ─▶ written
/// ```
/// For:   bringing queues up to the end of the log, and rebuilding those whose files make no sense.
/// Owner: recovery.
/// Never: gives an offset to anything: every record carries its own.
final class Redispatch {
    /// Entries that wait in memory before they are written.
    private static final int WRITE_EVERY = 100_000;

    /// For who has no queue flush behind it: nothing is left in memory.
    static final int ALL_WRITTEN = 1;

    /// Behind so many empty entries nobody looks for others.
    private static final int LOOK_BEHIND = 1024;

    private static final int BLOCK_ENTRIES = 256;

    /// What `finish` is to assume of messages that the log has lost.
    ///
    /// @param damaged whether it has lost any
    /// @param entryCount of all queues together if nothing were lost; -1 when nobody knows
    record Losses(boolean damaged, long entryCount) {}

    /// A record that claims a queueOffset this far beyond its queue's end is not believed.
    private static final long FURTHEST_GAP = 10_000_000;

    static final String LEFT_OUT = "%d messages stand where the commit log has changed on disk, and what they say of"
            + " their queue fits nothing that is known: they are in no queue. They are still in the commit log, which"
            + " another member of a group mends; gantry verify shows the places.";

    private final Disk disk;
    private final Notices notices;
    private final Queues queues;
    private final QueueWriter writer;
    private final EntryRule rule;
    private final int mostUnflushed;

    /// Of a log that somebody owns: what is not to be seen or written yet.
    private @Nullable HiddenEntries hidden;

    private long recordEnd;
    private final Set<ConsumeQueue> grown = new LinkedHashSet<>();

    /// Queues with entries that only memory has, and how many those are.
    private final Set<ConsumeQueue> unflushed = new LinkedHashSet<>();

    private long unflushedCount;

    /// Queues of which is written down that their files have entries behind the checkpoint's place.
    private final Set<ConsumeQueue> written = new LinkedHashSet<>();

    /// Queues that have to be rebuilt, with the end of their files as it was found.
    private final Map<ConsumeQueue, Long> broken = new LinkedHashMap<>();

    private final Set<ConsumeQueue> started = new LinkedHashSet<>();

    /// Queues whose files are made again while the store serves, with the end that they had, and those of them that
    /// have a message behind the checkpoint.
    private final Map<ConsumeQueue, Long> later = new LinkedHashMap<>();

    private final Map<ConsumeQueue, Long> laterFrom = new LinkedHashMap<>();
    /// Queues that had no files when the store was opened: what is in their files now is right.
    private final Set<ConsumeQueue> fresh = new LinkedHashSet<>();

    /// Of the pass over the log that goes on.
    private final DoubtfulEntries doubtful = new DoubtfulEntries();

    private boolean sawDoubt;
    private long addedCount;
    private int waiting;
    private long disbelieved;

    /// Entries of records in doubt come behind others, though their records do not.
    private boolean isInLogOrder = true;

    /// @param mostUnflushed entries that may wait in memory for the queue flush
    Redispatch(Disk disk, Notices notices, Queues queues, QueueWriter writer, EntryRule rule, int mostUnflushed) {
        this.disk = disk;
        this.notices = notices;
        this.queues = queues;
        this.writer = writer;
        this.rule = rule;
        this.mostUnflushed = mostUnflushed;
    }

    /// What lies above the place up to which the log is confirmed is neither shown nor written.
    void hide(HiddenEntries above) {
        hidden = above;
    }

    /// The queue's files hold more than is believed of them, and a start that comes after a crash of this one
    /// counts on
    /// it: what is added is written before anything is cut away.
    void keepWritten(ConsumeQueue queue) {
        written.add(queue);
    }

    void needsRebuild(ConsumeQueue queue, long capacityEnd) {
        if (later.containsKey(queue)) {
            return;
        }
        broken.merge(queue, capacityEnd, Math::max);
    }

    /// The queue's files are gone, and are made again later, up to what is added now.
    ///
    /// @param end no offset at or above it was given to a message below the checkpoint
    void rebuildLater(ConsumeQueue queue, long min, long end) {
        later.put(queue, end);
        queue.recover(min, end);
    }

    boolean hasBroken() {
        return !broken.isEmpty();
    }

    /// How many records `add` was given that have an entry.
    long addedCount() {
        return addedCount;
    }

    /// Only looks: a queue that does not know this record yet is to be rebuilt.
    ///
    /// @param inDoubt what it says may be wrong
    void compare(RecordView record, boolean inDoubt) {
        sawDoubt |= inDoubt;
        if (!hasEntry(record) || isDropped(record)) {
            return;
        }
        if (inDoubt) {
            ConsumeQueue claimed = queues.find(record.topic(), record.queueId());
            // A queue of which only records in doubt know may never have been.
            if (claimed != null && record.queueOffset() >= claimed.next()) {
                doubtful.add(claimed, record, rule.tagsCode(record));
            }
            return;
        }
        ConsumeQueue queue = queues.findOrMake(record.topic(), record.queueId());
        if (record.queueOffset() >= queue.next() || lacksHead(queue, record)) {
            needsRebuild(queue, 0);
        }
    }

    /// Only looks: a queue whose first entries are lost, though the log has their messages, is to be rebuilt.
    void compareHead(RecordView record, boolean inDoubt) {
        sawDoubt |= inDoubt;
        ConsumeQueue queue = !inDoubt && hasEntry(record) && !isDropped(record)
                ? queues.find(record.topic(), record.queueId())
                : null;
        if (queue != null && lacksHead(queue, record)) {
            needsRebuild(queue, 0);
        }
    }

    /// After all were compared.
    ///
    /// @param endsAreKnown every queue has all its entries already, whatever records in doubt claim
    void endCompare(boolean endsAreKnown) throws DiskFailed {
        if (!endsAreKnown) {
            addDoubtful();
        }
        doubtful.clear();
    }

    /// After all were added.
    void endAdd() throws DiskFailed {
        addDoubtful();
        doubtful.clear();
    }

    /// After the whole log was read for queues that are made again.
    void endRebuild() throws DiskFailed {
        for (ConsumeQueue queue : doubtful.queues()) {
            addDoubtful(queue, DoubtfulEntries.UNKNOWN_END);
        }
    }

    /// Whether a record was met that may not be what it says.
    boolean sawDoubt() {
        return sawDoubt;
    }

    /// What joins the end of its queue; the others come in the pass that makes queues again.
    private void addDoubtful() throws DiskFailed {
        for (ConsumeQueue queue : doubtful.queues()) {
            if (!broken.containsKey(queue)) {
                addDoubtful(queue, DoubtfulEntries.UNKNOWN_END);
            }
        }
    }

    private void addDoubtful(ConsumeQueue queue, long to) throws DiskFailed {
        long goesOn = recordEnd;
        for (DoubtfulEntries.Entry each : doubtful.take(queue, knownEnd(queue), to)) {
            recordEnd = each.logOffset() + each.size();
            if (later.containsKey(queue)) {
                putBehindMissing(queue, each.queueOffset(), each.logOffset(), each.size(), each.tagsCode());
            } else if (broken.containsKey(queue)) {
                putAgain(queue, each.queueOffset(), each.logOffset(), each.size(), each.tagsCode());
            } else if (each.queueOffset() == queue.next()) {
                putNext(queue, each.logOffset(), each.size(), each.tagsCode());
            }
            isInLogOrder = false;
        }
        recordEnd = goesOn;
    }

    /// The offset behind the last that the queue has for certain.
    private long knownEnd(ConsumeQueue queue) {
        Long missingEnd = later.get(queue);
        if (missingEnd != null) {
            return laterFrom.containsKey(queue) ? queue.next() : missingEnd;
        }
        return broken.containsKey(queue) && !started.contains(queue) ? DoubtfulEntries.UNKNOWN_BEGIN : queue.next();
    }

    /// Adds the record's entry if its queue ends right before it.
    ///
    /// @param inDoubt what it says may be wrong: it waits for what others say
    void add(RecordView record, boolean inDoubt) throws DiskFailed {
        sawDoubt |= inDoubt;
        if (!hasEntry(record) && !inDoubt) {
            return;
        }
        addedCount++;
        recordEnd = record.logOffset() + record.size();
        if (isDropped(record)) {
            return;
        }
        if (inDoubt) {
            addInDoubt(record);
            return;
        }
        ConsumeQueue queue = queues.find(record.topic(), record.queueId());
        if (queue == null) {
            queue = queues.findOrMake(record.topic(), record.queueId());
            fresh.add(queue);
        }
        if (later.containsKey(queue)) {
            addDoubtful(queue, record.queueOffset());
            putBehindMissing(queue, record.queueOffset(), record.logOffset(), record.size(), rule.tagsCode(record));
            return;
        }
        if (lacksHead(queue, record)) {
            needsRebuild(queue, 0);
        }
        if (broken.containsKey(queue)) {
            return;
        }
        addDoubtful(queue, record.queueOffset());
        if (record.queueOffset() < queue.next()) {
            return;
        }
        if (record.queueOffset() > queue.next()) {
            needsRebuild(queue, 0);
            return;
        }
        putNext(queue, record.logOffset(), record.size(), rule.tagsCode(record));
    }

    private void addInDoubt(RecordView record) {
        ConsumeQueue claimed = hasEntry(record) ? queues.find(record.topic(), record.queueId()) : null;
        if (claimed == null) {
            doubtful.leaveOut(record.logOffset());
        } else {
            doubtful.add(claimed, record, rule.tagsCode(record));
        }
    }

    private void putNext(ConsumeQueue queue, long logOffset, int size, long tagsCode) throws DiskFailed {
        if (hides()) {
            hideEntry(queue, logOffset, size, tagsCode);
        } else if (written.contains(queue)) {
            append(queue, logOffset, size, tagsCode);
        } else {
            keep(queue, logOffset, size, tagsCode);
        }
    }

    private void putBehindMissing(ConsumeQueue queue, long offset, long logOffset, int size, long tagsCode)
            throws DiskFailed {
        if (!laterFrom.containsKey(queue)) {
            laterFrom.put(queue, offset);
            goOnAt(queue, offset);
        }
        if (offset < queue.next()) {
            return;
        }
        if (offset - queue.next() > FURTHEST_GAP) {
            disbelieved++;
            return;
        }
        fillUpTo(queue, offset);
        append(queue, logOffset, size, tagsCode);
    }

    /// The file in the middle of which it goes on is there, for whoever writes the next entry.
    private void goOnAt(ConsumeQueue queue, long offset) throws DiskFailed {
        queue.recover(queue.minOffset(), offset);
        if (offset > 0) {
            FileId file = queue.files.fileOf(offset);
            check(disk.create(file, queue.files.fileBytes()));
            writer.touched().files().add(file);
            writer.touched().folders().add(queue.files.folder());
        }
    }

    /// It was gone with an earlier topic of that name.
    private boolean isDropped(RecordView record) {
        return queues.dropped().covers(record.topic(), record.logOffset());
    }

    /// True when a crash took the queue's first files, though the log still has their messages.
    private static boolean lacksHead(ConsumeQueue queue, RecordView record) {
        return record.queueOffset() < queue.minOffset();
    }

    /// Adds the record's entry if its queue is being rebuilt; places that no record claims get fillers.
    ///
    /// @param inDoubt what it says may be wrong: it waits for what others say
    void rebuild(RecordView record, boolean inDoubt) throws DiskFailed {
        sawDoubt |= inDoubt;
        ConsumeQueue queue =
                hasEntry(record) && !isDropped(record) ? queues.find(record.topic(), record.queueId()) : null;
        if (queue == null || !broken.containsKey(queue)) {
            return;
        }
        recordEnd = record.logOffset() + record.size();
        if (inDoubt) {
            doubtful.add(queue, record, rule.tagsCode(record));
            return;
        }
        addDoubtful(queue, record.queueOffset());
        putAgain(queue, record.queueOffset(), record.logOffset(), record.size(), rule.tagsCode(record));
    }

    private void putAgain(ConsumeQueue queue, long offset, long logOffset, int size, long tagsCode) throws DiskFailed {
        if (started.add(queue)) {
            queue.recover(offset, offset - queue.files.positionOf(offset) / EntryChunk.ENTRY_BYTES);
        }
        if (offset < queue.next()) {
            return;
        }
        if (offset - queue.next() > FURTHEST_GAP) {
            disbelieved++;
            return;
        }
        while (queue.next() < offset) {
            append(queue, 0, QueueFiles.FILLER_SIZE, 0);
        }
        append(queue, logOffset, size, tagsCode);
    }

    /// Writes what may not wait, and ends the queues' files where they must end.
    ///
    /// @param trimmed is told how many queues' files have been brought to their end
    void finish(boolean clean, Losses losses, IntConsumer trimmed) throws DiskFailed {
        flush();
        HiddenEntries above = hidden;
        if (above != null && (!broken.isEmpty() || !isInLogOrder)) {
            above.sort();
        }
        for (Map.Entry<ConsumeQueue, Long> entry : later.entrySet()) {
            endLater(entry.getKey(), entry.getValue());
        }
        flush();
        for (Map.Entry<ConsumeQueue, Long> entry : broken.entrySet()) {
            if (!started.contains(entry.getKey())) {
                startBehind(entry.getKey(), entry.getValue());
            }
        }
        if (losses.damaged()) {
            passLostOffsets(losses.entryCount());
        }
        for (ConsumeQueue queue : broken.keySet()) {
            notices.info("Consume queue " + queue + " was rebuilt: it holds " + queue.minOffset() + " to "
                    + queue.maxOffset());
            trimFiles(queue);
        }
        if (!clean) {
            int count = 0;
            for (ConsumeQueue queue : queues.all()) {
                if (!broken.containsKey(queue) && !fresh.contains(queue)) {
                    trimFiles(queue);
                }
                trimmed.accept(++count);
            }
        }
        if (disbelieved > 0) {
            notices.alarm(disbelieved + " messages claim impossible queue offsets and were left out of their queues;"
                    + " they are still in the commit log.");
        }
        if (doubtful.leftOutCount() > 0) {
            notices.alarm(LEFT_OUT.formatted(doubtful.leftOutCount()));
        }
    }

    /// From here on the queue can be served, but for what is missing.
    private void endLater(ConsumeQueue queue, long end) throws DiskFailed {
        if (!laterFrom.containsKey(queue)) {
            laterFrom.put(queue, end);
            goOnAt(queue, end);
        }
        // Messages that a loss of power took had offsets, which the files knew.
        fillUpTo(queue, end);
        long to = laterFrom.getOrDefault(queue, end);
        queue.lacks(new Missing(Math.min(queue.minOffset(), to), to));
    }

    /// The log has no message of the queue any more: it goes on where surely no offset was given yet.
    private void startBehind(ConsumeQueue queue, long capacityEnd) throws DiskFailed {
        long end = Math.max(capacityEnd, queue.begin());
        long filled = Math.max(queue.begin(), end - queue.files.entriesPerFile());
        queue.recover(end, filled);
        while (queue.next() < end) {
            append(queue, 0, QueueFiles.FILLER_SIZE, 0);
        }
        flush();
    }

    /// The offsets of messages that the log has lost were given once and are not given again: their entries in
    /// the files tell of them, and for a queue without files the number of all entries does.
    private void passLostOffsets(long entryCount) throws DiskFailed {
        for (ConsumeQueue queue : queues.all()) {
            fillUpTo(queue, lastGiven(queue));
        }
        long lost = Math.min(entryCount - queues.entryCount(), FURTHEST_GAP);
        if (entryCount >= 0 && lost > 0) {
            if (broken.isEmpty()) {
                notices.alarm(lost + " messages are lost, and no queue is known to which they belonged: a queue that is"
                        + " made now may give their offsets again.");
            }
            for (ConsumeQueue queue : broken.keySet()) {
                fillUpTo(queue, queue.next() + lost);
                notices.warn("Consume queue " + queue + " goes on at offset " + queue.next() + ": up to " + lost
                        + " offsets before it may belong to messages that are lost.");
            }
        }
        flush();
    }

    private void fillUpTo(ConsumeQueue queue, long end) throws DiskFailed {
        while (queue.next() < end) {
            append(queue, 0, QueueFiles.FILLER_SIZE, 0);
        }
    }

    /// The end of the entries that the queue's files hold, believed or not.
    private long lastGiven(ConsumeQueue queue) throws DiskFailed {
        ByteBuffer block = ByteBuffer.allocate(BLOCK_ENTRIES * EntryChunk.ENTRY_BYTES);
        long end = queue.next();
        long at = end;
        while (at - end < LOOK_BEHIND) {
            int room = (int) Math.min(BLOCK_ENTRIES, queue.files.roomFrom(at));
            block.clear().limit(room * EntryChunk.ENTRY_BYTES);
            Done done = queue.files.read(disk, at, block);
            if (done instanceof Done.Failed failed && failed.kind() != Done.Kind.MISSING) {
                throw new DiskFailed(failed);
            }
            int count = block.position() / EntryChunk.ENTRY_BYTES;
            for (int i = 0; i < count; i++) {
                if (block.getInt(i * EntryChunk.ENTRY_BYTES + EntryChunk.SIZE_AT) != 0) {
                    end = at + i + 1;
                }
            }
            if (count < room) {
                break;
            }
            at += count;
        }
        return end;
    }

    /// Whether its queue knows the record by an entry.
    static boolean hasEntry(RecordView record) {
        int transaction = MessageFlags.transaction(record.flags());
        return transaction != MessageFlags.TRANSACTION_PREPARED && transaction != MessageFlags.TRANSACTION_ROLLBACK;
    }

    /// Queues with entries that are in no file yet, for the queue flush; after `finish`.
    List<ConsumeQueue> unflushed() {
        HiddenEntries above = hidden;
        if (above != null) {
            return above.queues();
        }
        return unflushed.stream()
                .filter(queue -> queue.flushed() < queue.maxOffset())
                .toList();
    }

    /// A queue file that has to be made costs up to a millisecond, so a start does not wait for those of many queues
    /// that have grown a little; what one queue has a block of is written, as in a store that runs.
    private void keep(ConsumeQueue queue, long logOffset, int size, long tagsCode) throws DiskFailed {
        take(queue, logOffset, size, tagsCode);
        unflushed.add(queue);
        unflushedCount++;
        if (queue.maxOffset() - queue.flushed() >= QueueFlush.BLOCK_ENTRIES) {
            write(queue);
            unflushed.remove(queue);
        } else if (unflushedCount >= mostUnflushed) {
            for (ConsumeQueue each : unflushed()) {
                write(each);
            }
            unflushed.clear();
        }
    }

    private boolean hides() {
        return hidden != null && hidden.covers(recordEnd);
    }

    private void hideEntry(ConsumeQueue queue, long logOffset, int size, long tagsCode) throws DiskFailed {
        HiddenEntries above = hidden;
        if (above == null) {
            throw Invariant.broken("REDISPATCH-1 only a log that somebody owns has hidden entries");
        }
        if (grown.remove(queue)) {
            write(queue);
        }
        above.add(queue, logOffset, size, tagsCode, recordEnd);
    }

    private void append(ConsumeQueue queue, long logOffset, int size, long tagsCode) throws DiskFailed {
        if (hides()) {
            hideEntry(queue, logOffset, size, tagsCode);
            return;
        }
        take(queue, logOffset, size, tagsCode);
        grown.add(queue);
        if (++waiting >= WRITE_EVERY) {
            flush();
        }
    }

    private static void take(ConsumeQueue queue, long logOffset, int size, long tagsCode) {
        queue.number();
        queue.add(logOffset, size, tagsCode);
        queue.show(queue.next());
    }

    private void flush() throws DiskFailed {
        for (ConsumeQueue queue : grown) {
            write(queue);
        }
        grown.clear();
        waiting = 0;
    }

    private void write(ConsumeQueue queue) throws DiskFailed {
        long before = queue.flushed();
        check(writer.write(queue));
        if (unflushed.contains(queue)) {
            unflushedCount -= queue.flushed() - before;
        }
        queue.recover(queue.minOffset(), queue.next());
    }

    /// No file before the first entry or behind the last, the right length for the rest, and zeros behind the last
    /// entry that they have; what only memory has is written behind it later.
    private void trimFiles(ConsumeQueue queue) throws DiskFailed {
        QueueFiles files = queue.files;
        long end = queue.flushed();
        FileId last = files.fileOf(Math.max(0, end - 1));
        FileId first = files.fileOf(Math.min(queue.minOffset(), Math.max(0, end - 1)));
        boolean rebuilt = broken.containsKey(queue);
        List<String> names = new ArrayList<>();
        for (FileEntry entry : disk.list(files.folder())) {
            if (!entry.folder() && Names.offsetOf(entry.name()) >= 0) {
                names.add(entry.name());
                trimFile(files, new FileId(files.folder() + "/" + entry.name()), entry, first, last, rebuilt);
            }
        }
        if (names.contains(last.name())) {
            long position = end == 0 ? 0 : files.positionOf(end - 1) + EntryChunk.ENTRY_BYTES;
            check(disk.cut(last, position));
            writer.touched().files().add(last);
        }
    }

    private void trimFile(QueueFiles files, FileId file, FileEntry entry, FileId first, FileId last, boolean rebuilt)
            throws DiskFailed {
        boolean behind = entry.name().compareTo(last.name()) > 0;
        boolean before = rebuilt && entry.name().compareTo(first.name()) < 0;
        if (behind || before || Names.offsetOf(entry.name()) % files.fileBytes() != 0) {
            check(disk.delete(file));
            writer.touched().folders().add(files.folder());
            writer.touched().files().remove(file);
        } else if (entry.bytes() != files.fileBytes()) {
            check(disk.create(file, files.fileBytes()));
            writer.touched().files().add(file);
        }
    }

    private static void check(Done done) throws DiskFailed {
        if (done instanceof Done.Failed failed) {
            throw new DiskFailed(failed);
        }
    }
}
