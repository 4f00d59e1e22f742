package gantry.store;

import gantry.base.Image;
import gantry.base.Invariant;
import gantry.base.Published;

/// One queue of one topic: which records of the log are its messages, by queueOffset.
///
/// For:   numbering messages, and finding them again.
/// Owner: the log sequencer; `minOffset`, `maxOffset`, `missing` and `watched` may be read by anybody.
/// Holds: QUEUE-1 offsets are dense, unique and never used again; QUEUE-2 an entry below `maxOffset` never changes.
///
/// ```
///        files           │        chunks in memory         │ numbered, being written
///   ─────────────────────┼──────────────────┬──────────────┼─────────
///   minOffset         flushed ▲         maxOffset ▲       added    next
/// ```
public final class ConsumeQueue {
    private static final int FIRST_CHUNK_ENTRIES = 8;
    private static final int LARGEST_CHUNK_ENTRIES = 512;

    /// Ticks without a new entry after which the memory is given back.
    private static final int QUIET_TICKS = 50;

    private final TopicQueues of;
    private final int queueId;
    private final Published minOffset;

    /// The first entry whose record the log has; below it files may go.
    private final Published headOffset;

    private final Published maxOffset;
    private final Image<Boolean> watched = new Image<>(false);

    /// What of the files is being made again; look at it before `minOffset`.
    private final Image<Missing> missing = new Image<>(Missing.NOTHING);

    /// Where the files end; its writer is the queue flush.
    private final Published flushed;

    /// The first chunk that is still in memory.
    private final Image<EntryChunk> oldest = new Image<>(EntryChunk.NONE);

    final QueueFiles files;
    final Runnable wake;

    /// The following fields belong to the log sequencer.
    private long next;

    private long added;
    private EntryChunk newest = EntryChunk.NONE;
    private long addedAtTick;
    private int quietTicks;

    /// Whether it is on the list of queues that grew since the last flush.
    boolean listedForFlush;
    /// Whether it is on the list of queues that hold chunks.
    boolean listedForTrim;

    /// Of a log that somebody owns: entries below it may be in files.
    long settledEnd;

    /// Belongs to the queue flush: entries at or above it are not written. Only a log that somebody owns sets it.
    long writableTo = Long.MAX_VALUE;

    /// Belongs to the queue flush: nothing is written to the files any more, because they are being deleted.
    boolean retired;

    ConsumeQueue(TopicQueues of, int queueId, long queueFileBytes, QueueListener wakes) {
        this.of = of;
        this.queueId = queueId;
        this.minOffset = new Published(of.begin());
        this.headOffset = new Published(of.begin());
        this.maxOffset = new Published(of.begin());
        this.flushed = new Published(of.begin());
        this.next = of.begin();
        this.added = of.begin();
        this.addedAtTick = of.begin();
        this.settledEnd = of.begin();
        this.files = new QueueFiles(of.topic(), queueId, queueFileBytes);
        this.wake = () -> wakes.grown(this);
    }

    public String topic() {
        return of.topic();
    }

    /// Where the hashes of its messages' keys begin.
    int topicHash() {
        return of.topicHash();
    }

    /// The first offset that was or will be given: 0, unless there was a topic of that name before.
    public long begin() {
        return of.begin();
    }

    /// Whether its topic was dropped: it has no messages, and gets none.
    public boolean isDropped() {
        return of.isDropped();
    }

    /// In the log sequencer: nothing is appended any more.
    boolean closed() {
        return of.closed();
    }

    /// How many offsets it has given; what it gave before it was read from files is taken for given.
    long givenCount() {
        return next - of.begin();
    }

    public int queueId() {
        return queueId;
    }

    /// The first offset that is kept and shown.
    public long minOffset() {
        return minOffset.read();
    }

    /// The end of what is visible, exclusive.
    public long maxOffset() {
        return maxOffset.read();
    }

    /// Whether its files were lost or damaged, and are being made again from the log.
    public boolean isBeingRebuilt() {
        return !missing.read().isNothing();
    }

    /// Whether some of them cannot be read yet.
    boolean lacksEntries() {
        return missing.read().from() < missing.read().to();
    }

    /// The end of the part that cannot be read yet because its entries are being made again; -1 when there is none.
    public long missingTo() {
        return missing.read().to();
    }

    Missing missing() {
        return missing.read();
    }

    /// At recovery, and as entries are made again.
    void lacks(Missing part) {
        missing.publish(part);
    }

    /// Whether somebody waits for growth. Set it first and look at `maxOffset` after, or a wake-up may be missed.
    public Image<Boolean> watched() {
        return watched;
    }

    /// Gives the next message its offset.
    long number() {
        return next++;
    }

    /// Whether it has no message.
    boolean isEmpty() {
        return minOffset.read() == next && flushed.read() == next;
    }

    /// Whether it may go on where another member's queue does, at the begin of a file: no queue of its topic has a
    /// message below, as after the end of an earlier topic of that name, and the offset was not given before.
    boolean mayGoOnAt(long offset) {
        boolean isNew = offset > next || next == of.begin();
        return isNew && offset % files.entriesPerFile() == 0 && of.isEmptyBelow(offset);
    }

    /// See `mayGoOnAt`.
    void goOnAt(long offset) {
        of.beginAt(offset);
    }

    /// Takes the last given offset back, because its message was not written.
    void unnumber() {
        next--;
    }

    /// The offset that the next message will get.
    long next() {
        return next;
    }

    /// Adds the entry of the message that got the lowest offset without one.
    void add(long logOffset, int size, long tagsCode) {
        if (newest.isFull()) {
            growChunks();
        }
        newest.put(logOffset, size, tagsCode);
        added++;
    }

    /// Makes the entries below `end` visible.
    ///
    /// @return false when they were visible already
    boolean show(long end) {
        if (end <= maxOffset.read()) {
            return false;
        }
        Invariant.check(end <= added, "QUEUE-1 a queue shows only offsets that have an entry");
        maxOffset.advance(end);
        return true;
    }

    /// Gives memory back that readers find in the files by now.
    ///
    /// @return false when nothing is in memory any more
    boolean trim() {
        long done = flushed.read();
        EntryChunk first = oldest.read();
        EntryChunk kept = first;
        while (kept != newest && kept.end() <= done) {
            kept = kept.next();
        }
        quietTicks = added == addedAtTick ? quietTicks + 1 : 0;
        addedAtTick = added;
        if (kept == newest && done == added && quietTicks >= QUIET_TICKS) {
            kept = EntryChunk.NONE;
            newest = kept;
        }
        if (kept != first) {
            oldest.publish(kept);
        }
        return kept != EntryChunk.NONE;
    }

    /// The chunk that holds an offset below `maxOffset`; `NONE` when it is to be found in the files.
    EntryChunk chunkOf(long queueOffset) {
        EntryChunk chunk = oldest.read();
        if (queueOffset < chunk.base) {
            return EntryChunk.NONE;
        }
        while (!chunk.covers(queueOffset)) {
            chunk = chunk.next();
        }
        return chunk;
    }

    long flushed() {
        return flushed.read();
    }

    /// By the queue flush: the files hold every entry below `end`.
    void flushedTo(long end) {
        flushed.advance(end);
    }

    /// At recovery: the files hold the entries from `min` to `end`.
    void recover(long min, long end) {
        minOffset.reset(min);
        headOffset.reset(min);
        maxOffset.reset(end);
        flushed.reset(end);
        next = end;
        added = end;
        addedAtTick = end;
        settledEnd = end;
        newest = EntryChunk.NONE;
        oldest.publish(EntryChunk.NONE);
    }

    /// When retention has dropped the head of the log.
    void startAt(long min) {
        headOffset.reset(min);
        hideBelow(min);
    }

    /// What lies below is not shown any more, though the log may still have it.
    void hideBelow(long min) {
        if (min > minOffset.read()) {
            minOffset.advance(min);
        }
    }

    /// The first entry whose record the log has; `minOffset` lies higher when the topic keeps messages for less long.
    long headOffset() {
        return headOffset.read();
    }

    private void growChunks() {
        int capacity = Math.clamp(newest.capacity * 2L, FIRST_CHUNK_ENTRIES, LARGEST_CHUNK_ENTRIES);
        EntryChunk fresh = new EntryChunk(added, capacity);
        if (newest == EntryChunk.NONE) {
            oldest.publish(fresh);
        } else {
            newest.tie(fresh);
        }
        newest = fresh;
    }

    @Override
    public String toString() {
        return of.topic() + "/" + queueId;
    }
}
