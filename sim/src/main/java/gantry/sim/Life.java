package gantry.sim;

/// One run of one process, from its start to its end.
///
/// For:   ending or pausing everything a process would still do: events belong to a life, and those of an ended one
///        never happen.
/// Owner: the scheduler's thread.
/// Never: comes back; a restarted process is a new life.
public final class Life {
    private final String host;
    private final int number;
    private boolean ended;
    private long pausedUntilNanos;

    /// @param number which run of `host` this is, from 0
    public Life(String host, int number) {
        this.host = host;
        this.number = number;
    }

    public String host() {
        return host;
    }

    public int number() {
        return number;
    }

    public boolean alive() {
        return !ended;
    }

    public void end() {
        ended = true;
    }

    /// Nothing of this life happens before `nanos`; what falls due meanwhile happens then.
    public void pauseUntil(long nanos) {
        pausedUntilNanos = Math.max(pausedUntilNanos, nanos);
    }

    long pausedUntilNanos() {
        return pausedUntilNanos;
    }

    @Override
    public String toString() {
        return host + "#" + number;
    }
}
