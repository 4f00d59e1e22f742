package gantry.replica.lead;

import gantry.base.Invariant;
import gantry.replica.copy.Snapshot;
import gantry.replica.epoch.LogView;
import gantry.replica.frame.CopyOffer;
import gantry.replica.frame.CopyRequest;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The copies that members make: what each is offered, how fast all go, and what retention must keep for them.
///
/// For:   members that can go on, so that a copy ends.
/// Owner: the group.
final class Copies {
    /// So long after its link has ended, what a copy needs next is kept: it connects again much sooner.
    static final Duration KEPT_FOR = Duration.ofMinutes(1);

    private static final class Hold {
        private long from;
        /// Whether nothing ends it but the member's progress.
        private boolean linked;

        private long untilNanos;
    }

    private final LeaderLog log;
    private final Pace pace;
    private final SortedMap<Long, Hold> holds = new TreeMap<>();
    private @Nullable CopySource source;
    private long keptFrom = Long.MAX_VALUE;

    Copies(LeaderLog log, long bytesPerSecond) {
        this.log = log;
        this.pace = new Pace(bytesPerSecond);
    }

    void from(CopySource giver) {
        source = giver;
    }

    @Nullable
    CopySource source() {
        return source;
    }

    Pace pace() {
        return pace;
    }

    /// What a member is offered; null while its snapshot is being made.
    ///
    /// @param shown the log as the member was shown it
    /// @param now the log as it is
    @Nullable
    CopyOffer offer(CopySource giver, long member, CopyRequest request, LogView shown, LogView now) {
        boolean goesOn = request.isPartOf(shown) && request.isPartOf(now);
        if (goesOn && request.kind() == CopyRequest.LOG && giver.fits(request.snapshotOffset())) {
            Snapshot whole = new Snapshot(request.snapshotId(), request.snapshotOffset(), List.of());
            return new CopyOffer(CopyRequest.LOG, request.begin(), now.end(), now.confirm(), whole);
        }
        Snapshot snapshot = giver.snapshot(member, goesOn ? request.snapshotId() : 0);
        if (snapshot == null) {
            return null;
        }
        boolean same = goesOn
                && request.kind() == CopyRequest.SNAPSHOT
                && snapshot.id() == request.snapshotId()
                && snapshot.offset() == request.snapshotOffset()
                && request.snapshotHeld() <= snapshot.bytes();
        String fault = snapshot.fault();
        Invariant.check(
                fault == null && (same || (snapshot.offset() >= log.begin() && snapshot.offset() <= now.confirm())),
                "COPY-4 a snapshot is sound and lies between the log's begin and confirmOffset: " + fault + ", at "
                        + snapshot.offset());
        return same
                ? new CopyOffer(CopyRequest.SNAPSHOT, request.begin(), now.end(), now.confirm(), snapshot)
                : new CopyOffer(CopyRequest.ANEW, log.begin(), now.end(), now.confirm(), snapshot);
    }

    /// A member has everything below `from`, and goes on there.
    void hold(long member, long from) {
        Hold hold = holds.computeIfAbsent(member, _ -> new Hold());
        hold.from = from;
        hold.linked = true;
        tell();
    }

    boolean isHeldFor(long member) {
        return holds.containsKey(member);
    }

    void unlinked(long member, long nowNanos) {
        Hold hold = holds.get(member);
        if (hold != null && hold.linked) {
            hold.linked = false;
            hold.untilNanos = nowNanos + KEPT_FOR.toNanos();
        }
    }

    void release(long member) {
        if (holds.remove(member) != null && source != null) {
            source.released(member);
            tell();
        }
    }

    void tick(long nowNanos) {
        List<Long> over = holds.entrySet().stream()
                .filter(each -> !each.getValue().linked && nowNanos - each.getValue().untilNanos >= 0)
                .map(each -> each.getKey())
                .toList();
        over.forEach(this::release);
    }

    /// The reign is over.
    void end() {
        List.copyOf(holds.keySet()).forEach(this::release);
    }

    private void tell() {
        long lowest = Long.MAX_VALUE;
        for (Hold each : holds.values()) {
            lowest = Math.min(lowest, each.from);
        }
        if (lowest != keptFrom && source != null) {
            keptFrom = lowest;
            source.keepFrom(lowest);
        }
    }
}
