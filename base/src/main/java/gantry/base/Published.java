package gantry.base;

/// A long that one owner moves forward and anybody reads.
///
/// For:   positions: confirmOffset, maxOffset of a queue, durable end.
/// Owner: whoever constructed it is the only one to write.
/// Holds: an `advance` never goes back.
public final class Published {
    private volatile long value;

    public Published(long first) {
        this.value = first;
    }

    public long read() {
        return value;
    }

    /// Moves forward; an equal value is allowed.
    public void advance(long next) {
        long now = value;
        if (next < now) {
            throw Invariant.broken("a published position goes back from " + now + " to " + next);
        }
        if (next != now) {
            value = next;
        }
    }

    /// Sets to anything; for recovery and truncation, which say why.
    public void reset(long next) {
        value = next;
    }
}
