package gantry.control.nameserver;

import gantry.base.Notices;
import java.time.Duration;

/// Passes notices on until there were too many of them.
///
/// For:   a log that a flapping broker, or a stranger, cannot fill.
/// Owner: the routes sequencer.
final class NoticeBudget {
    private static final int NOTICES = 50;
    private static final long WINDOW_NANOS = Duration.ofSeconds(10).toNanos();

    private final Notices notices;
    private long windowNanos;
    private int told;

    NoticeBudget(Notices notices, long nowNanos) {
        this.notices = notices;
        this.windowNanos = nowNanos;
    }

    void tell(Notices.Level level, String text, long nowNanos) {
        turn(nowNanos);
        if (told++ < NOTICES) {
            notices.tell(level, text);
        }
    }

    /// Starts a new window when it is time to, and says what the old one kept back.
    void turn(long nowNanos) {
        if (nowNanos - windowNanos > WINDOW_NANOS) {
            if (told > NOTICES) {
                notices.warn((told - NOTICES) + " more notices about brokers were left out");
            }
            windowNanos = nowNanos;
            told = 0;
        }
    }
}
