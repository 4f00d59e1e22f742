package gantry.server.node;

/// How a process ended, for scripts.
///
/// For:   one list of the numbers; docs/configuration.md shows them.
/// Owner: none (immutable).
public enum ExitCode {
    /// A clean stop, or a tool that did what it was asked for.
    CLEAN(0),
    /// Did not start: a flag, a key, a folder or a port is wrong; nothing was damaged.
    REFUSED(1),
    /// Something is wrong inside: ended at once, with a dump; the next start recovers.
    FAULT(70),
    /// Asked to stop, but a part failed or did not stop in time; the next start recovers.
    UNCLEAN_STOP(71);

    private final int number;

    ExitCode(int number) {
        this.number = number;
    }

    public int number() {
        return number;
    }
}
