package gantry.store;

import gantry.wire.message.Check;
import gantry.wire.message.RecordView;

/// The keys of messages that were appended lately, in the order of the log.
///
/// For:   the key index, which reads of the log only what is not told here.
/// Owner: the log sequencer until it is taken, then the index sequencer, until it is given back.
/// Never: more keys than `PendingKeys.MAX_ENTRIES` and those of one batch: it ends where it was full.
/// Holds: TRAIL-1 it knows every key of every message from `from` to `to`.
final class KeyTrail {
    private final PendingKeys keys = new PendingKeys();
    private long from;
    private long to;
    private long end;

    KeyTrail(long at) {
        begin(at);
    }

    /// Forgets what it knows; the next batch is stored at `at` or behind it.
    void begin(long at) {
        keys.drop(keys.count());
        from = to = end = at;
    }

    /// Adds a batch that was stored.
    ///
    /// @param scanner to look for the keys that the batch does not list
    void add(AppendBatch batch, RecordKeys scanner, RecordView view) {
        if (keys.isFull()) {
            return;
        }
        for (int i = 0; i < batch.count(); i++) {
            long logOffset = batch.logOffset(i);
            long millis = batch.storeMillis(i);
            if (batch.hasKeysListed()) {
                for (int key = batch.firstKey(i); key < batch.endOfKeys(i); key++) {
                    keys.add(batch.keyHash(key), logOffset, millis);
                }
            } else {
                int start = batch.start(i);
                int count = view.wrap(batch.staging(), start, start + batch.size(i), false) == Check.OK
                        ? scanner.find(batch.staging(), view)
                        : 0;
                for (int key = 0; key < count; key++) {
                    keys.add(scanner.hash(key), logOffset, millis);
                }
            }
        }
        to = batch.endOffset();
    }

    /// Adds records that were copied; the log ends at `logEnd` now.
    void add(CheckedCopy copy, long logEnd, RecordKeys scanner, RecordView view) {
        if (keys.isFull()) {
            return;
        }
        for (int i = 0; i < copy.count(); i++) {
            boolean there = view.wrap(copy.bytes(), copy.start(i), copy.end(i), false) == Check.OK;
            int count = there ? scanner.find(copy.bytes(), view) : 0;
            for (int key = 0; key < count; key++) {
                keys.add(scanner.hash(key), view.logOffset(), view.storeMillis());
            }
        }
        to = logEnd;
    }

    /// Nothing is added any more; the log ends at `logEnd` by now.
    void end(long logEnd) {
        end = logEnd;
    }

    PendingKeys keys() {
        return keys;
    }

    long from() {
        return from;
    }

    long to() {
        return to;
    }

    /// Where the next trail begins; beyond `to` when this one was full.
    long end() {
        return end;
    }
}
