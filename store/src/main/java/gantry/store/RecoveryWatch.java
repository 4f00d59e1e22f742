package gantry.store;

import gantry.base.Clock;
import gantry.base.Notices;
import java.util.HashSet;
import java.util.Set;

/// Tells the operator what a recovery meets and how far it has come.
///
/// For:   a start that takes longer than a moment says why, and a message that is lost is named.
/// Owner: recovery.
/// Never: more than one word on the progress in `TOLD_EVERY_NANOS`; more than `MOST_NAMED` damaged places.
final class RecoveryWatch implements LogScan.Watcher {
    private static final long TOLD_EVERY_NANOS = 5_000_000_000L;
    private static final int MOST_NAMED = 100;
    private static final double MEBIBYTE = 1 << 20;

    private final Disk disk;
    private final Clock clock;
    private final Notices notices;
    private final Set<String> damaged = new HashSet<>();
    private String deed = "read";
    private long from;
    private long to;
    private long toldNanos;

    RecoveryWatch(Disk disk, Clock clock, Notices notices) {
        this.disk = disk;
        this.clock = clock;
        this.notices = notices;
        this.toldNanos = clock.nanos();
    }

    /// A walk over a part of the log begins.
    ///
    /// @param deed as in "the commit log is DEED"
    void begins(String deed, long from, long to) {
        this.deed = deed;
        this.from = from;
        this.to = to;
    }

    /// How many places of the log were stepped over.
    int damageCount() {
        return damaged.size();
    }

    @Override
    public void damaged(Damage damage) {
        if (!damaged.add(damage.file() + ":" + damage.from())) {
            return;
        }
        if (damaged.size() <= MOST_NAMED) {
            notices.alarm("The commit log is damaged: " + damage.sentence(disk) + ". What stood there is lost here, and"
                    + " the rest is served. Restore the file from a copy if there is one; gantry verify shows all.");
        } else if (damaged.size() == MOST_NAMED + 1) {
            notices.alarm("The commit log is damaged in more places than are named here; gantry verify shows all.");
        }
    }

    @Override
    public void reached(long logOffset) {
        long now = clock.nanos();
        if (now - toldNanos >= TOLD_EVERY_NANOS) {
            toldNanos = now;
            notices.info("Opening the store: the commit log is %s, %.0f of %.0f MiB."
                    .formatted(deed, (logOffset - from) / MEBIBYTE, (to - from) / MEBIBYTE));
        }
    }
}
