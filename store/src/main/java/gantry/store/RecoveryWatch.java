package gantry.store;

import gantry.base.Clock;
import gantry.base.Notices;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
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
    private final List<Damage> named = new ArrayList<>();
    private String deed = "read";
    private long from;
    private long to;
    private long toldNanos;
    private final long openedNanos;

    RecoveryWatch(Disk disk, Clock clock, Notices notices) {
        this.disk = disk;
        this.clock = clock;
        this.notices = notices;
        this.openedNanos = clock.nanos();
        this.toldNanos = openedNanos;
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

    /// After a stop without notice: what was looked at, and what came of it.
    ///
    /// @param where it began, and why there
    /// @param recordCount messages between `start` and `end`
    /// @param cut whether something stood behind the end
    void tellChecked(String where, long start, long end, long recordCount, boolean cut) {
        String found = damaged.isEmpty() ? "All of it is whole" : damageCount() + " places of the log are damaged";
        notices.info(
                "The store was not stopped cleanly. Its commit log was checked from logOffset %d on (%s): %.1f MiB,"
                                .formatted(start, where, (end - start) / MEBIBYTE)
                        + " %d messages, in %d ms. %s; the log ends at logOffset %d, %s."
                                .formatted(
                                        recordCount,
                                        (clock.nanos() - openedNanos) / 1_000_000,
                                        found,
                                        end,
                                        cut ? "and what stood behind it was cut away" : "and nothing stood behind it"));
    }

    /// Those that were named.
    List<Damage> damages() {
        return named;
    }

    @Override
    public void damaged(Damage damage) {
        if (!damaged.add(damage.file() + ":" + damage.from())) {
            return;
        }
        if (damaged.size() <= MOST_NAMED) {
            named.add(damage);
            notices.alarm("The commit log is damaged: " + damage.sentence(disk) + ". What stood there is lost here, and"
                    + " the rest is served. Restore the file from a copy if there is one; gantry verify shows all.");
        } else if (damaged.size() == MOST_NAMED + 1) {
            notices.alarm("The commit log is damaged in more places than are named here; gantry verify shows all.");
        }
    }

    @Override
    public void reached(long logOffset) {
        if (isTimeToTell()) {
            notices.info("Opening the store: the commit log is %s, %d %%, %.0f of %.0f MiB."
                    .formatted(
                            deed,
                            100 * (logOffset - from) / Math.max(1, to - from),
                            (logOffset - from) / MEBIBYTE,
                            (to - from) / MEBIBYTE));
        }
    }

    /// With tens of thousands of queues their files take longer than the log.
    ///
    /// @param what as in "COUNT consume queues WHAT"
    void queues(String what, int count) {
        if (isTimeToTell()) {
            notices.info("Opening the store: " + count + " consume queues " + what + ".");
        }
    }

    private boolean isTimeToTell() {
        long now = clock.nanos();
        if (now - toldNanos < TOLD_EVERY_NANOS) {
            return false;
        }
        toldNanos = now;
        return true;
    }
}
