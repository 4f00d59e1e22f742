package gantry.broker.replica;

import java.util.OptionalLong;

/// When the log ended where, and how many messages it had, over the last minutes.
///
/// For:   saying for how many seconds and messages a member is behind, without reading its messages.
/// Owner: the log sequencer.
/// Never: a negative lag; a guess about what is older than the oldest sample.
final class LagClock {
    private static final int SAMPLES = 1_024;
    private static final long EVERY_NANOS = 250_000_000L;

    private final long[] ends = new long[SAMPLES];
    private final long[] messages = new long[SAMPLES];
    private final long[] nanos = new long[SAMPLES];
    /// How many were ever taken.
    private long count;

    /// @param messageCount of the whole log, up to `end`
    void sample(long end, long messageCount, long nowNanos) {
        if (count == 0 || nowNanos - nanos[at(count - 1)] >= EVERY_NANOS) {
            ends[at(count)] = end;
            messages[at(count)] = messageCount;
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
        long i = newestAtOrBelow(has);
        if (i < 0) {
            return OptionalLong.empty();
        }
        long since = i + 1 < count ? nanos[at(i + 1)] : nowNanos;
        return OptionalLong.of((nowNanos - since) / 1_000_000);
    }

    /// How many messages lie between `has` and the log's end: exact where a sample was taken, and between two
    /// samples (or the last one and now) as if all messages there were of one size. Empty: `has` lies below what
    /// is remembered.
    ///
    /// @param end          of the log now
    /// @param messageCount of the whole log now
    OptionalLong behindMessages(long has, long end, long messageCount) {
        if (has >= end) {
            return OptionalLong.of(0);
        }
        long i = newestAtOrBelow(has);
        if (i < 0) {
            return OptionalLong.empty();
        }
        boolean isLast = i + 1 == count;
        long nextEnd = isLast ? end : ends[at(i + 1)];
        long nextMessages = isLast ? messageCount : messages[at(i + 1)];
        long between = Math.max(0, nextMessages - messages[at(i)]);
        double part = (double) (nextEnd - has) / (nextEnd - ends[at(i)]);
        return OptionalLong.of(Math.max(0, messageCount - nextMessages) + (long) Math.ceil(between * part));
    }

    /// -1: the oldest that is remembered lies above.
    private long newestAtOrBelow(long logOffset) {
        for (long i = count - 1; i >= Math.max(0, count - SAMPLES); i--) {
            if (ends[at(i)] <= logOffset) {
                return i;
            }
        }
        return -1;
    }

    private static int at(long index) {
        return (int) (index % SAMPLES);
    }
}
