package gantry.broker.replica;

import java.util.OptionalLong;

/// When the log ended where, over the last minutes.
///
/// For:   saying for how many seconds a member is behind, without reading its messages.
/// Owner: the log sequencer.
final class LagClock {
    private static final int SAMPLES = 1_024;
    private static final long EVERY_NANOS = 250_000_000L;

    private final long[] ends = new long[SAMPLES];
    private final long[] nanos = new long[SAMPLES];
    /// How many were ever taken.
    private long count;

    void sample(long end, long nowNanos) {
        if (count == 0 || nowNanos - nanos[at(count - 1)] >= EVERY_NANOS) {
            ends[at(count)] = end;
            nanos[at(count)] = nowNanos;
            count++;
        }
    }

    /// For how long the log has reached beyond `has`, in milliseconds; empty: for longer than is remembered.
    ///
    /// @param end of the log now
    OptionalLong behindMillis(long has, long end, long nowNanos) {
        if (has >= end) {
            return OptionalLong.of(0);
        }
        long since = nowNanos;
        long first = Math.max(0, count - SAMPLES);
        for (long i = count - 1; i >= first; i--) {
            if (ends[at(i)] <= has) {
                return OptionalLong.of((nowNanos - since) / 1_000_000);
            }
            since = nanos[at(i)];
        }
        return OptionalLong.empty();
    }

    private static int at(long index) {
        return (int) (index % SAMPLES);
    }
}
