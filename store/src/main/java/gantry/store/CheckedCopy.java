package gantry.store;

import gantry.wire.message.MessageLayout;
import gantry.wire.message.RecordView;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// Bytes of another member's log, as far as they were found to be what this log must hold next.
///
/// ```
///   bytes  │ record │ record │ blank, up to the end of a file │ record │ ▒▒▒ fault
///          └──────────── good: may be written as they are ─────────────┘
/// ```
/// For:   checking each record whole before anything of it is written.
/// Owner: the log sequencer; made once and used again and again.
/// Never: writes; believes a number that this log would not have given itself, but for the first of a queue: where a
///        topic that was deleted goes on depends on what the leader's log still knew of it.
/// Holds: COPY-1 every good record has its own place, the next offset of its queue, and a time that does not go
///        back.
final class CheckedCopy {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
    private static final int FIRST_RECORDS = 256;

    private final Queues queues;
    private final EntryRule rule;
    private final RecordCheck record;
    private final Disk disk;
    private final QueueBegin.Begun begun;
    private final BooleanSupplier dropsAreThrough;
    private ByteBuffer bytes = NOTHING;
    private int count;
    private int goodEnd;
    private long entryCount;
    private long lastMillis;
    private @Nullable String fault;
    private Origin origin = Origin.MEMBER;
    private boolean maySoonFit;
    private @Nullable ConsumeQueue[] ofQueues = new ConsumeQueue[FIRST_RECORDS];
    private int[] starts = new int[FIRST_RECORDS];
    private long[] logOffsets = new long[FIRST_RECORDS];
    private long[] queueEnds = new long[FIRST_RECORDS];
    private long[] tagsCodes = new long[FIRST_RECORDS];
    private long[] millis = new long[FIRST_RECORDS];
    private long[] entryCounts = new long[FIRST_RECORDS];

    /// @param dropsAreThrough whether no crash can bring back what was dropped so far
    /// @param begun told of queues whose first message has a higher offset
    CheckedCopy(
            StoreConfig config,
            Queues queues,
            EntryRule rule,
            Disk disk,
            BooleanSupplier dropsAreThrough,
            QueueBegin.Begun begun) {
        this.dropsAreThrough = dropsAreThrough;
        this.record = new RecordCheck(config);
        this.queues = queues;
        this.rule = rule;
        this.disk = disk;
        this.begun = begun;
    }

    /// Looks at the remaining bytes, and gives each good record its offset.
    ///
    /// @param logOffset where they are to stand
    /// @param notBefore when the last record before them was stored
    void check(ByteBuffer source, long logOffset, long notBefore, Origin from) {
        forget();
        bytes = source;
        origin = from;
        lastMillis = notBefore;
        long place = logOffset;
        int at = source.position();
        while (at < source.limit()) {
            int size = checkRecord(at, place);
            if (size < 0) {
                return;
            }
            at += size;
            place += size;
            goodEnd = at;
        }
    }

    /// Lets go of everything.
    void forget() {
        Arrays.fill(ofQueues, 0, count, null);
        bytes = NOTHING;
        count = 0;
        goodEnd = 0;
        entryCount = 0;
        fault = null;
        maySoonFit = false;
    }

    /// @return -1 when it is not good
    private int checkRecord(int at, long place) {
        int size = record.check(bytes, at, place, lastMillis, origin);
        if (size < 0) {
            return bad(String.valueOf(record.fault()));
        }
        if (record.isBlank()) {
            add(null, at, place, 0);
            return size;
        }
        RecordView view = record.view();
        ConsumeQueue queue = null;
        if (Redispatch.hasEntry(view)) {
            queue = queues.findOrMake(view.topic(), view.queueId());
            if (origin == Origin.ROCKETMQ && queue.next() == 0 && view.queueOffset() > 0) {
                String wrong = new QueueBegin(disk, queue, begun).at(view.queueOffset());
                if (wrong != null) {
                    return bad(wrong);
                }
            }
            boolean first = origin == Origin.MEMBER && queue.isEmpty();
            if (first && !dropsAreThrough.getAsBoolean()) {
                maySoonFit = true;
                return bad("the first message of queue " + queue + ", while the end of a topic is being written down");
            }
            if (first && view.queueOffset() != queue.next() && queue.mayGoOnAt(view.queueOffset())) {
                queue.goOnAt(view.queueOffset());
            }
            if (view.queueOffset() != queue.next()) {
                maySoonFit = true;
                return bad(
                        "message " + view.queueOffset() + " of queue " + queue + ", which goes on at " + queue.next());
            }
            queue.number();
            entryCount++;
        }
        lastMillis = Math.max(lastMillis, view.storeMillis());
        add(queue, at, place, queue == null ? 0 : rule.tagsCode(view));
        return size;
    }

    private int bad(String what) {
        fault = what;
        return -1;
    }

    private void add(@Nullable ConsumeQueue queue, int start, long logOffset, long tagsCode) {
        if (count == starts.length) {
            int length = count * 2;
            ofQueues = Arrays.copyOf(ofQueues, length);
            starts = Arrays.copyOf(starts, length);
            logOffsets = Arrays.copyOf(logOffsets, length);
            queueEnds = Arrays.copyOf(queueEnds, length);
            tagsCodes = Arrays.copyOf(tagsCodes, length);
            millis = Arrays.copyOf(millis, length);
            entryCounts = Arrays.copyOf(entryCounts, length);
        }
        ofQueues[count] = queue;
        starts[count] = start;
        logOffsets[count] = logOffset;
        queueEnds[count] = queue == null ? 0 : queue.next();
        millis[count] = lastMillis;
        entryCounts[count] = entryCount;
        tagsCodes[count++] = tagsCode;
    }

    /// The good ones were not written: their offsets are free again.
    void takeNumbersBack() {
        for (int i = 0; i < count; i++) {
            ConsumeQueue queue = ofQueues[i];
            if (queue != null) {
                queue.unnumber();
            }
        }
    }

    /// Gives every good record its entry.
    void addEntries() {
        for (int i = 0; i < count; i++) {
            ConsumeQueue queue = ofQueues[i];
            if (queue != null) {
                queue.add(logOffsets[i], end(i) - starts[i], tagsCodes[i]);
            }
        }
    }

    /// Lets each entry wait until its own record is confirmed: what is folded there may be what the next record waits
    /// for.
    void hide(QueueRing ring) {
        for (int i = 0; i < count; i++) {
            ConsumeQueue queue = ofQueues[i];
            if (queue != null) {
                ring.add(queue, queueEnds[i], logEnd(i));
            }
        }
    }

    /// Every record is a place up to which the log may be confirmed.
    ///
    /// @param before how many queue entries there were before them
    void addEnds(LogEnds ends, long before) {
        for (int i = 0; i < count; i++) {
            ends.add(logEnd(i), millis[i], before + entryCounts[i]);
        }
    }

    private long logEnd(int i) {
        return logOffsets[i] + end(i) - starts[i];
    }

    /// What is wrong with the first record that is not good; null when all are.
    @Nullable
    String fault() {
        return fault;
    }

    /// Whether the fault may end by itself; see `Copied`.
    boolean maySoonFit() {
        return maySoonFit;
    }

    ByteBuffer bytes() {
        return bytes;
    }

    /// Records and blanks.
    int count() {
        return count;
    }

    int start(int i) {
        return starts[i];
    }

    int end(int i) {
        return i + 1 < count ? starts[i + 1] : goodEnd;
    }

    boolean isBlank(int i) {
        return bytes.getInt(starts[i] + MessageLayout.MAGIC) == MessageLayout.MAGIC_BLANK;
    }

    long entryCount() {
        return entryCount;
    }

    long lastMillis() {
        return lastMillis;
    }
}
