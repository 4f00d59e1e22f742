package gantry.store;

/// Who says how far a log is confirmed, when the store does not say so by itself.
///
/// For:   a member of a replica group.
/// Owner: the log sequencer; calls come from inside it and must not block. `MemberLog` may be used from within
///        them.
public interface LogOwner {
    /// The log ends at `end` now.
    void appended(long end);

    /// Everything below survives a loss of power.
    void durable(long end);

    /// Time passes, every 100 ms or so, as long as the store takes appends.
    void tick(long nowNanos);
}
