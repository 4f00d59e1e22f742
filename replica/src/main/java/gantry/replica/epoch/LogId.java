package gantry.replica.epoch;

import java.util.random.RandomGenerator;

/// The name of one history: drawn once, by the first leader of a log, and taken over by whoever copies it.
///
/// For:   telling a log of another group, or of another life of this one, from ours.
/// Owner: none (immutable).
public record LogId(long high, long low) {
    /// Of a log that nobody has named yet.
    public static final LogId NONE = new LogId(0, 0);

    public static LogId draw(RandomGenerator random) {
        return new LogId(random.nextLong() | 1, random.nextLong());
    }

    public boolean isNone() {
        return equals(NONE);
    }

    @Override
    public String toString() {
        return isNone() ? "none" : String.format("%016x%016x", high, low);
    }
}
