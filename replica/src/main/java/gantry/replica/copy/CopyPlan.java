package gantry.replica.copy;

import gantry.base.Invariant;
import gantry.replica.epoch.EpochTable;
import gantry.replica.epoch.LogId;

/// What one copy consists of, and where in it each byte stands.
///
/// For:   both sides counting a copy's bytes in the same way.
/// Owner: none (immutable).
///
/// @param epochs the leader's history, as it told it
/// @param begin the log's first offset, the begin of a whole segment
/// @param end the leader's end when the copy was offered
/// @param keepOld the old log holds what the leader has lost, and has to be kept for an operator
public record CopyPlan(LogId logId, EpochTable epochs, long begin, long end, Snapshot snapshot, boolean keepOld) {
    public CopyPlan {
        Invariant.check(begin >= 0 && end >= begin, "COPY-1 a copy's log has a begin and an end");
    }

    /// How many bytes the whole copy has.
    public long bytes() {
        return snapshot.bytes() + end - begin;
    }

    /// The part that the byte at `position` belongs to; -1 when it is of the log, or the end.
    public int partAt(long position) {
        long start = 0;
        for (int i = 0; i < snapshot.parts().size(); i++) {
            start += snapshot.parts().get(i).size();
            if (position < start) {
                return i;
            }
        }
        return -1;
    }

    /// Where a part begins.
    public long startOf(int part) {
        long start = 0;
        for (int i = 0; i < part; i++) {
            start += snapshot.parts().get(i).size();
        }
        return start;
    }

    /// The log offset of a position; the log's begin while it lies in the snapshot.
    public long logAt(long position) {
        return begin + Math.max(0, position - snapshot.bytes());
    }

    /// The position of a log offset.
    public long positionOf(long offset) {
        return snapshot.bytes() + offset - begin;
    }
}
