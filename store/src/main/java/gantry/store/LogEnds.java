package gantry.store;

import gantry.store.Checkpoint.Mark;
import java.util.Arrays;

/// Where the log ended after each append, and each copied record, that is not confirmed yet.
///
/// For:   a confirmOffset that always lies where an append ended, or a record that was copied or that a start has
///        found, with what a checkpoint must know of that place.
/// Owner: the log sequencer.
/// Never: more than the queue entries that may wait (`maxUnflushedEntries`): each append adds one at least, or
///        is bounded by the bytes that may wait for a sync.
final class LogEnds {
    private static final int FIELDS = 3;

    private long[] ring = new long[256 * FIELDS];
    private int first;
    private int count;

    void add(long logOffset, long storeMillis, long entryCount) {
        if (count * FIELDS == ring.length) {
            grow();
        }
        int at = (first + count) % (ring.length / FIELDS) * FIELDS;
        ring[at] = logOffset;
        ring[at + 1] = storeMillis;
        ring[at + 2] = entryCount;
        count++;
    }

    /// The last end at or below `logOffset`, which is forgotten with all before it; `before` when there is none.
    Mark upTo(long logOffset, Mark before) {
        int last = -1;
        while (count > 0 && ring[first * FIELDS] <= logOffset) {
            last = first;
            first = (first + 1) % (ring.length / FIELDS);
            count--;
        }
        return last < 0 ? before : new Mark(ring[last * FIELDS], ring[last * FIELDS + 1], ring[last * FIELDS + 2]);
    }

    /// So many entries lie below each of them, too.
    void plus(long entries) {
        for (int i = 0; i < count; i++) {
            ring[(first + i) % (ring.length / FIELDS) * FIELDS + 2] += entries;
        }
    }

    private void grow() {
        int old = ring.length;
        long[] larger = Arrays.copyOf(ring, old * 2);
        // The part before `first` moves behind the old end, so that the ring is in order again.
        System.arraycopy(ring, 0, larger, old, first * FIELDS);
        ring = larger;
    }
}
