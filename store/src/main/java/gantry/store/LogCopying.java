package gantry.store;

import gantry.base.Invariant;
import gantry.base.Sequencer;
import gantry.store.Disk.Done;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Takes into the log what another member has numbered.
///
/// ```
///   bytes ─▶ where the log ends, and not too many? ─▶ each record checked whole ─▶ tail.copy
///         ─▶ appended ─▶ hidden until it is confirmed ─▶ (sync)
/// ```
/// For:   a member that follows.
/// Owner: the log sequencer.
/// Never: numbers anything itself; takes a record behind one that is not right.
final class LogCopying {
    private final Log log;
    private final LogTail tail;
    private final LogSync sync;
    private final SegmentShelf shelf;
    private final Queues queues;
    private final OwnedEnd own;
    private final Unconfirmed unconfirmed;
    private final CheckedCopy checked;
    private final QueueFlush flush;
    private final Disk disk;
    private final Sequencer sequencer;

    LogCopying(
            Log log,
            LogTail tail,
            LogSync sync,
            SegmentShelf shelf,
            Queues queues,
            OwnedEnd own,
            Unconfirmed unconfirmed,
            QueueFlush flush,
            Disk disk,
            Sequencer sequencer,
            StoreConfig config,
            EntryRule rule) {
        this.log = log;
        this.tail = tail;
        this.sync = sync;
        this.shelf = shelf;
        this.queues = queues;
        this.own = own;
        this.unconfirmed = unconfirmed;
        this.flush = flush;
        this.disk = disk;
        this.sequencer = sequencer;
        this.checked = new CheckedCopy(config, queues, rule, disk, log::dropsAreThrough, this::begun);
    }

    Copied copy(long logOffset, ByteBuffer bytes, Origin origin) {
        sequencer.requireInside();
        Invariant.check(own.following() != null, "COPY-2 a member that leads copies from nobody");
        Refusal refusal = log.refusesCopies();
        if (refusal != null) {
            return new Copied(tail.end(), null, refusal);
        }
        if (logOffset != tail.end()) {
            return new Copied(tail.end(), "bytes from " + logOffset + " on, where the log ends", null);
        }
        if (bytes.remaining() > LogReading.MOST_BYTES) {
            return new Copied(
                    tail.end(),
                    bytes.remaining() + " bytes at once, where " + LogReading.MOST_BYTES + " are allowed",
                    null);
        }
        checked.check(bytes, tail.end(), tail.lastMillis(), origin);
        Done.Failed failure = checked.count() == 0 ? null : tail.copy(checked);
        if (failure == null && checked.count() > 0) {
            log.grown();
            checked.hide(unconfirmed.shows());
            own.copied(checked, tail);
            log.syncIfWaited();
            shelf.lookAhead(tail.end());
        }
        String fault = checked.fault();
        boolean maySoonFit = checked.maySoonFit();
        checked.forget();
        return failure == null
                ? new Copied(tail.end(), fault, null, maySoonFit)
                : new Copied(tail.end(), null, log.notWritten(failure));
    }

    byte[] lastBytes(int most) {
        sequencer.requireInside();
        long end = tail.end();
        Segment segment = end == 0 ? null : shelf.read().find(end - 1);
        int place = segment == null ? 0 : (int) (end - segment.base());
        if (segment == null || place == segment.bytes().capacity() || !segment.take()) {
            return new byte[0];
        }
        try {
            byte[] last = new byte[Math.min(most, place)];
            segment.bytes().get(place - last.length, last);
            return last;
        } finally {
            segment.giveBack();
        }
    }

    @Nullable
    String beginQueue(String topic, int queueId, long queueOffset) {
        sequencer.requireInside();
        ConsumeQueue queue = queues.findOrMake(topic, queueId);
        if (queue.next() > 0 || queueOffset == 0) {
            return null;
        }
        return new QueueBegin(disk, queue, this::begun).at(queueOffset);
    }

    /// A queue goes on where others have brought it: what they gave is counted, and is not waited for.
    private void begun(ConsumeQueue queue, long given) {
        tail.gave(given);
        sync.gave(given);
        own.gave(given);
        sequencer.after(() -> flush.begun(queue, given));
    }
}
