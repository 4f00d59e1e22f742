package gantry.store;

import gantry.base.Notices;

/// Tells the operator of one lasting trouble, now and then.
///
/// For:   a trouble that comes back with every attempt.
/// Owner: whoever made it; one thread at a time.
/// Never: more than one notice in `INTERVAL_NANOS`.
final class Complaint {
    private static final long INTERVAL_NANOS = 10_000_000_000L;

    private final Notices notices;
    private boolean told;
    private long toldNanos;

    Complaint(Notices notices) {
        this.notices = notices;
    }

    void alarm(String text, long nowNanos) {
        if (!told || nowNanos - toldNanos >= INTERVAL_NANOS) {
            told = true;
            toldNanos = nowNanos;
            notices.alarm(text);
        }
    }
}
