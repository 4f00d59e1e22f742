package gantry.broker.replica;

import gantry.base.Image;
import gantry.replica.frame.Cause;
import gantry.replica.member.Promise;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/// A member's newest `ReplicaStatus`, for everybody.
///
/// For:   health and metrics, which ask at any time on any thread.
/// Owner: the log sequencer writes.
final class StatusBoard {
    private static final long EVERY_NANOS = 200_000_000L;

    private final Image<ReplicaStatus> newest;
    private long shownNanos;
    private boolean shown;

    StatusBoard(ReplicaRole role, Promise promise, long memberId) {
        this.newest = new Image<>(
                new ReplicaStatus(role, memberId, promise, 0, 0, 0, 0, 0, "it starts", List.of(), new TreeMap<>(), 0));
    }

    /// Shows what `status` gives, unless that was done a moment ago.
    void show(long nowNanos, Supplier<ReplicaStatus> status) {
        if (!shown || nowNanos - shownNanos >= EVERY_NANOS) {
            shown = true;
            shownNanos = nowNanos;
            newest.publish(status.get());
        }
    }

    ReplicaStatus status() {
        return newest.read();
    }

    /// The causes that came at all.
    static SortedMap<Cause, Long> counts(ToLongFunction<Cause> counted) {
        SortedMap<Cause, Long> counts = new TreeMap<>();
        for (Cause cause : Cause.values()) {
            long count = counted.applyAsLong(cause);
            if (count > 0) {
                counts.put(cause, count);
            }
        }
        return counts;
    }
}
