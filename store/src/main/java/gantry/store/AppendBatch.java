package gantry.store;

import gantry.base.Invariant;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Records on their way into the log; made once and used again and again.
///
/// For:   handing many encoded records over in one command, without an allocation per record.
/// Owner: the session until `Store.append`, the store until the last callback, then the session again.
/// Holds: BATCH-1 exactly one of confirmed, late and refused ends each append; BATCH-2 a batch is bound to a log
///        before it is appended; BATCH-3 a refused batch has a refusal.
///
/// ```
///   reset ─▶ RecordWriter.write(staging …) + add … ─▶ Store.append ─┬─▶ written ─┬─▶ confirmed
///                                                                    │            ├─▶ late
///                                                                    └─▶ refused ◀┘
/// ```
public final class AppendBatch {
    /// A batch that carries more records than this is refused.
    public static final int MAX_RECORDS = 16_384;
    /// A staging buffer that grew beyond this is given back at `reset`.
    public static final int KEPT_STAGING_BYTES = 1 << 20;

    private static final int FIRST_STAGING_BYTES = 16 * 1024;
    private static final int FIRST_RECORDS = 64;

    /// Told how a batch fares. Calls for one batch come one after another, on whatever thread; they must not
    /// block.
    public interface Listener {
        /// The records have their numbers and are in the log, but are not answered yet. The staging buffer is
        /// free to be
        /// used again once this returns; offsets can be read until the last callback.
        void written(AppendBatch batch);

        /// The records may be answered: `confirmOffset` has passed them, or the batch does not wait for that.
        void confirmed(AppendBatch batch);

        /// Written, but not confirmed within `syncTimeout`; it may or may not be confirmed later, nobody will
        /// tell.
        void late(AppendBatch batch);

        /// Not stored, or (after `written`) not known to be stored.
        void refused(AppendBatch batch, Refusal why);
    }

    private final Listener listener;
    private final int maxStagingBytes;
    private ByteBuffer staging = ByteBuffer.allocateDirect(0);
    /// The same bytes with a position and limit of their own, for writing parts of them.
    private ByteBuffer outgoing = staging.duplicate();
    private int count;
    private boolean waitsForSync = true;
    private boolean usesReserve;
    private ConsumeQueue[] queues = new ConsumeQueue[FIRST_RECORDS];
    private int[] starts = new int[FIRST_RECORDS];
    private int[] sizes = new int[FIRST_RECORDS];
    private long[] tagsCodes = new long[FIRST_RECORDS];
    private boolean[] continuesUnit = new boolean[FIRST_RECORDS];
    /// For each record where its keys end; they begin where those of the record before it end.
    private int[] keyEnds = new int[FIRST_RECORDS];
    private int[] keyHashes = new int[FIRST_RECORDS];
    private int keyCount;
    private boolean listsKeys;
    private long[] queueOffsets = new long[FIRST_RECORDS];
    private long[] logOffsets = new long[FIRST_RECORDS];
    private long storeMillis;
    private long endOffset;

    /// The following belong to the store.
    private @Nullable Log log;

    private final Runnable appending = this::append;
    private final Runnable ending = this::tellEnd;
    private Ending end = Ending.CONFIRMED;
    private @Nullable Refusal refusal;
    private long deadlineNanos;

    private enum Ending {
        WRITTEN_AND_CONFIRMED,
        CONFIRMED,
        LATE,
        REFUSED
    }

    /// @param maxStagingBytes how far the staging buffer may grow
    public AppendBatch(Listener listener, int maxStagingBytes) {
        this.listener = listener;
        this.maxStagingBytes = maxStagingBytes;
    }

    /// Empties the batch for the next use.
    public void reset() {
        if (staging.capacity() > KEPT_STAGING_BYTES) {
            staging = ByteBuffer.allocateDirect(0);
            outgoing = staging.duplicate();
        }
        staging.clear();
        Arrays.fill(queues, 0, count, null);
        count = 0;
        keyCount = 0;
        listsKeys = false;
        waitsForSync = true;
        usesReserve = false;
    }

    /// Makes room for `bytes` more behind what is staged.
    ///
    /// @return false when the batch would grow over its limits: append it first, and go on with another
    public boolean room(int bytes) {
        if (count >= MAX_RECORDS) {
            return false;
        }
        if (staging.remaining() >= bytes) {
            return true;
        }
        long needed = (long) staging.position() + bytes;
        if (needed > maxStagingBytes) {
            return false;
        }
        long doubled = Math.max(FIRST_STAGING_BYTES, staging.capacity() * 2L);
        ByteBuffer larger = ByteBuffer.allocateDirect((int) Math.min(maxStagingBytes, Math.max(needed, doubled)));
        larger.put(staging.flip());
        staging = larger;
        outgoing = larger.duplicate();
        return true;
    }

    /// Where the next record is encoded, at the position. Ask again after each `room`, which may change the
    /// buffer.
    public ByteBuffer staging() {
        return staging;
    }

    /// Adds a record that was encoded at `start` of the staging buffer.
    ///
    /// @param continuesUnit true when it must lie in the same segment as the one before it (a batch send)
    public void add(ConsumeQueue queue, int start, int size, long tagsCode, boolean continuesUnit) {
        if (count == queues.length) {
            growArrays();
        }
        queues[count] = queue;
        starts[count] = start;
        sizes[count] = size;
        tagsCodes[count] = tagsCode;
        this.continuesUnit[count] = continuesUnit;
        keyEnds[count] = keyCount;
        count++;
    }

    /// Promises that every key of every record will be told with `key` and `keys`: nobody has to look for them then.
    public void listsKeys() {
        listsKeys = true;
    }

    /// The record that was added last is found under the key that stands there.
    public void key(byte[] utf8, int from, int to) {
        if (keyCount == keyHashes.length) {
            keyHashes = Arrays.copyOf(keyHashes, keyCount * 2);
        }
        keyHashes[keyCount++] = KeyHash.ofKey(queues[count - 1].topicHash(), utf8, from, to);
        keyEnds[count - 1] = keyCount;
    }

    /// The same for each word of a message's `KEYS`.
    public void keys(byte[] utf8, int from, int to) {
        int word = from;
        while (word < to) {
            int end = KeyHash.wordEnd(utf8, word, to);
            if (end > word) {
                key(utf8, word, end);
            }
            word = end + 1;
        }
    }

    /// False when no record of the batch needs to wait for its sync: it is confirmed as soon as it is written.
    public void waitsForSync(boolean waits) {
        this.waitsForSync = waits;
    }

    /// True when it carries the broker's own state, for which room is kept when the disk is full.
    public void usesReserve(boolean uses) {
        this.usesReserve = uses;
    }

    boolean usesReserve() {
        return usesReserve;
    }

    public boolean waitsForSync() {
        return waitsForSync;
    }

    public int count() {
        return count;
    }

    public ConsumeQueue queue(int i) {
        return queues[i];
    }

    public long queueOffset(int i) {
        return queueOffsets[i];
    }

    public long logOffset(int i) {
        return logOffsets[i];
    }

    /// All records of a batch are stored at the same millisecond.
    public long storeMillis(int i) {
        return storeMillis;
    }

    /// The log's end behind the last record.
    public long endOffset() {
        return endOffset;
    }

    /// Makes it ready to be given to a log; the result does that when it is run inside the log's sequencer.
    Runnable bound(Log to) {
        log = to;
        return appending;
    }

    Listener listener() {
        return listener;
    }

    int start(int i) {
        return starts[i];
    }

    int size(int i) {
        return sizes[i];
    }

    long tagsCode(int i) {
        return tagsCodes[i];
    }

    boolean hasKeysListed() {
        return listsKeys;
    }

    /// The first of a record's keys, if it has any; those before it belong to the records before it.
    int firstKey(int i) {
        return i == 0 ? 0 : keyEnds[i - 1];
    }

    int endOfKeys(int i) {
        return keyEnds[i];
    }

    int keyHash(int key) {
        return keyHashes[key];
    }

    boolean continuesUnit(int i) {
        return i > 0 && continuesUnit[i];
    }

    void place(int i, long logOffset) {
        logOffsets[i] = logOffset;
    }

    void number(int i, long queueOffset) {
        queueOffsets[i] = queueOffset;
    }

    /// Whether record `i` stands right behind the one before it, here and in the log.
    boolean follows(int i) {
        int before = i - 1;
        return starts[i] == starts[before] + sizes[before] && logOffsets[i] == logOffsets[before] + sizes[before];
    }

    /// The bytes of the records `from` (inclusive) to `to` (exclusive), which follow each other.
    ByteBuffer run(int from, int to) {
        return outgoing.limit(starts[to - 1] + sizes[to - 1]).position(starts[from]);
    }

    void stored(long end, long millis) {
        endOffset = end;
        storeMillis = millis;
    }

    void waitUntil(long nanos) {
        deadlineNanos = nanos;
    }

    long deadlineNanos() {
        return deadlineNanos;
    }

    /// What to run, outside of the sequencer, when the batch is written and needs to wait for nothing.
    Runnable endsWrittenAndConfirmed() {
        end = Ending.WRITTEN_AND_CONFIRMED;
        return ending;
    }

    Runnable endsConfirmed() {
        end = Ending.CONFIRMED;
        return ending;
    }

    Runnable endsLate() {
        end = Ending.LATE;
        return ending;
    }

    Runnable endsRefused(Refusal why) {
        end = Ending.REFUSED;
        refusal = why;
        return ending;
    }

    private void append() {
        if (log == null) {
            throw Invariant.broken("BATCH-2 a batch is bound to a log before it is appended");
        }
        log.append(this);
    }

    /// The last thing the store does with the batch: whoever is told may use it again at once.
    private void tellEnd() {
        switch (end) {
            case WRITTEN_AND_CONFIRMED -> {
                listener.written(this);
                listener.confirmed(this);
            }
            case CONFIRMED -> listener.confirmed(this);
            case LATE -> listener.late(this);
            case REFUSED -> {
                Refusal why = refusal;
                if (why == null) {
                    throw Invariant.broken("BATCH-3 a refused batch has a refusal");
                }
                refusal = null;
                listener.refused(this, why);
            }
        }
    }

    private void growArrays() {
        int length = count * 2;
        queues = Arrays.copyOf(queues, length);
        starts = Arrays.copyOf(starts, length);
        sizes = Arrays.copyOf(sizes, length);
        tagsCodes = Arrays.copyOf(tagsCodes, length);
        continuesUnit = Arrays.copyOf(continuesUnit, length);
        keyEnds = Arrays.copyOf(keyEnds, length);
        queueOffsets = Arrays.copyOf(queueOffsets, length);
        logOffsets = Arrays.copyOf(logOffsets, length);
    }
}
