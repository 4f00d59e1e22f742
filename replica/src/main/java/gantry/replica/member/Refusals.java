package gantry.replica.member;

import gantry.base.Notices;
import gantry.replica.frame.Cause;
import gantry.replica.frame.Fault;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/// Counts what was refused, by cause, and tells it at a limited rate.
///
/// For:   metrics, and log lines that a flood cannot multiply.
/// Owner: the log sequencer.
public final class Refusals {
    /// At most one line for each cause in this time.
    public static final Duration QUIET = Duration.ofMinutes(1);

    private static final class Count {
        private long total;
        private long untold;
        private long toldNanos;
        private boolean told;
    }

    private final Notices notices;
    private final Map<Cause, Count> counts = new EnumMap<>(Cause.class);

    public Refusals(Notices notices) {
        this.notices = notices;
    }

    /// Goes on from what another one has counted and told; that one counts no more.
    public void countsOnFrom(Refusals before) {
        counts.putAll(before.counts);
    }

    /// @param who as a log line may name it: a host, or a member
    /// @return whether it was told; then the end of the trouble should be told too
    public boolean add(Fault fault, String who, long nowNanos) {
        Count count = counts.computeIfAbsent(fault.cause(), _ -> new Count());
        count.total++;
        if (count.told && nowNanos - count.toldNanos < QUIET.toNanos()) {
            count.untold++;
            return false;
        }
        String more = count.untold == 0 ? "" : " (and " + count.untold + " more of this kind before)";
        notices.tell(level(fault.cause()), "replication: " + who + ": " + fault + more);
        count.told = true;
        count.toldNanos = nowNanos;
        count.untold = 0;
        return true;
    }

    public long count(Cause cause) {
        Count count = counts.get(cause);
        return count == null ? 0 : count.total;
    }

    private static Notices.Level level(Cause cause) {
        return switch (cause) {
            case FOREIGN_LOG, CONFIRMED_LOST, NO_ROOM, RECORD_DAMAGED, LOG_FAILED, DUPLICATE_MEMBER, FILE_SIZES ->
                Notices.Level.ALARM;
            default -> Notices.Level.WARN;
        };
    }
}
