package gantry.sim.check;

import gantry.sim.SimFailure;
import java.util.TreeMap;

/// Everything that was promised about the progress of groups.
///
/// For:   P3: a committed offset that was answered or shown never goes back.
/// Owner: the scheduler's thread.
/// Never: clients that seek; those of a simulation only move forward.
public final class OffsetLedger {
    private final TreeMap<String, Long> floors = new TreeMap<>();
    private long answeredCount;
    private long shownCount;

    /// What a query that is sent now must show at least; -1 for nothing.
    public long floor(String group, QueueName queue) {
        return floors.getOrDefault(group + "@" + queue, -1L);
    }

    /// A commit was answered.
    public void committed(String group, QueueName queue, long offset) {
        raise(group, queue, offset);
        answeredCount++;
    }

    /// A query was answered.
    ///
    /// @param shown -1 when the answer was that there is none
    /// @param floor what `floor` said when the query was sent
    public void shown(String group, QueueName queue, long shown, long floor) {
        if (shown < floor) {
            throw new SimFailure("P3 the offset of group " + group + " for " + queue + " went back to " + shown
                    + " after " + floor + " was promised");
        }
        raise(group, queue, shown);
        shownCount++;
    }

    private void raise(String group, QueueName queue, long offset) {
        floors.merge(group + "@" + queue, offset, Math::max);
    }

    /// Something was lost where that is allowed: nothing is promised any more.
    public void forget() {
        floors.clear();
    }

    public long answeredCount() {
        return answeredCount;
    }

    public long shownCount() {
        return shownCount;
    }
}
