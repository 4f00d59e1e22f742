package gantry.replica.lead;

import java.time.Duration;

/// How fast copies may be sent, all together.
///
/// For:   leaving the disk and the network to those who send and read messages.
/// Owner: the group.
/// Holds: PACE-1 in any time t, at most (t + BURST) x the rate is sent, and one frame more.
final class Pace {
    /// What was not sent in this time may be made up for.
    static final Duration BURST = Duration.ofMillis(200);

    private static final double SECOND = 1e9;

    private final long bytesPerSecond;
    private boolean used;
    private long freeNanos;

    Pace(long bytesPerSecond) {
        this.bytesPerSecond = bytesPerSecond;
    }

    boolean isFree(long nowNanos) {
        return !used || nowNanos - freeNanos >= 0;
    }

    void spend(int bytes, long nowNanos) {
        long earliest = nowNanos - BURST.toNanos();
        long from = used && freeNanos - earliest > 0 ? freeNanos : earliest;
        used = true;
        freeNanos = from + (long) (bytes * SECOND / bytesPerSecond);
    }
}
