package gantry.store;

import gantry.base.Image;
import java.nio.ByteBuffer;

/// A run of queue entries that was read ahead, with the pages of their records.
///
/// For:   fetching from memory what a consumer far behind asks next.
/// Owner: `ReadAhead` makes it; nothing of it changes but the note that the next one is on its way.
/// Never: entries at or above the queue's `maxOffset` of the time when it was read.
///
/// @param entries   as on disk, from 0 to the limit
/// @param readNanos when it was read
/// @param followed  whether somebody has asked for the block behind it
record AheadBlock(
        ConsumeQueue queue, long from, int count, ByteBuffer entries, long readNanos, Image<Boolean> followed) {
    AheadBlock(ConsumeQueue queue, long from, int count, ByteBuffer entries, long readNanos) {
        this(queue, from, count, entries, readNanos, new Image<>(false));
    }

    boolean covers(ConsumeQueue wanted, long queueOffset) {
        return queue == wanted && queueOffset >= from && queueOffset < end();
    }

    /// The offset behind its last entry.
    long end() {
        return from + count;
    }

    /// Whether so much of it was fetched that the next one is due; true once (or a few times, if several fetch at once,
    /// which costs no more than reading it again).
    boolean wantsFollower(long fetchedTo) {
        if (fetchedTo < from + count / 2 || followed.read()) {
            return false;
        }
        followed.publish(true);
        return true;
    }
}
