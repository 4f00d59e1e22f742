package gantry.store;

/// Who says how far a log is confirmed, when the store does not say so by itself.
///
/// For:   a member of a replica group.
/// Owner: the log sequencer; calls come from inside it and must not block. `MemberLog` may be used from within
///        them.
public interface LogOwner {
    /// The log ends at `end` now, because something was sent to it. Of a copy the answer tells.
    void appended(long end);

    /// Everything below survives a loss of power.
    void durable(long end);

    /// What could not be read, because it had to be fetched, can be now, or has failed. Who never reads needs
    /// none.
    default void readable() {}

    /// Time passes, every 100 ms or so, as long as the store takes appends.
    void tick(long nowNanos);
}
