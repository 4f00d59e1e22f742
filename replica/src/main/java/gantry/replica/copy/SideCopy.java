package gantry.replica.copy;

import gantry.base.Invariant;

/// A copy that is not whole yet, beside the old log.
///
/// For:   going on with it after a link or a process has ended.
/// Owner: none (immutable).
///
/// @param held up to which position it is there and sound; in the log that is the end of a record
public record SideCopy(CopyPlan plan, long held) {
    public SideCopy {
        Invariant.check(held >= 0 && held <= plan.bytes(), "COPY-1 no more is held than the copy has");
    }

    /// How much of the snapshot is there.
    public long snapshotHeld() {
        return Math.min(held, plan.snapshot().bytes());
    }

    public boolean hasSnapshot() {
        return held >= plan.snapshot().bytes();
    }

    /// Where the copied log ends.
    public long logEnd() {
        return plan.logAt(held);
    }
}
