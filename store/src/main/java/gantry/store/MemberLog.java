package gantry.store;

/// The log of a store that is owned by somebody: a member of a replica group, as a rule.
///
/// ```
///   owner ◀─ appended, durable, tick ─ log ◀─ confirm ─ owner
/// ```
/// For:   saying how far the log is confirmed.
/// Owner: the log sequencer: everything but `submit` and `submitAlways` is called inside it, by what is
///        submitted here or from within `LogOwner`.
/// Never: knows what a leader is, or a group.
public final class MemberLog {
    private final Log log;

    MemberLog(Log log) {
        this.log = log;
    }

    /// Runs a command inside the log sequencer.
    ///
    /// @return false when too many wait already; it was not taken
    public boolean submit(Runnable command) {
        return log.sequencer().submit(command);
    }

    /// As above, for commands whose number something else bounds.
    public void submitAlways(Runnable command) {
        log.sequencer().submitAlways(command);
    }

    /// Everything below can no longer be taken back: it is shown, who waits for it is answered, and once it is
    /// durable here it may be in any file. Takes effect up to the end of the last append or copy that lies
    /// below as a whole; what is less than before changes nothing.
    public void confirm(long logOffset) {
        log.confirmUpTo(logOffset);
    }

    public long confirmOffset() {
        return log.confirmed();
    }

    /// Where the oldest kept file starts.
    public long begin() {
        return log.segments().minOffset();
    }

    public long end() {
        return log.appended();
    }

    public long durable() {
        return log.durable();
    }
}
