package gantry.replica.follow;

import gantry.base.Invariant;
import gantry.replica.copy.CopyPlan;
import gantry.replica.copy.SideCopy;
import gantry.replica.copy.Snapshot;
import gantry.replica.epoch.LogView;
import gantry.replica.frame.Cause;
import gantry.replica.frame.CopyOffer;
import gantry.replica.frame.CopyRequest;
import gantry.replica.frame.Fault;
import gantry.replica.member.MemberState;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The copy that a follower makes beside its log when it cannot go on from that.
///
/// For:   taking what is the next byte of the copy, and nothing else, until it is whole and takes the log's place.
/// Owner: the log sequencer.
/// Never: touches the old log before the copy is whole.
/// Holds: COPY-5 written <= received <= the copy's end; COPY-6 at most `creditBytes` (or one frame) wait to be
///        written.
///
/// ```
///   nothing or a part held ── offered ──▶ begins ── begun ──▶ takes ── whole ──▶ switches ── switched ──▶ nothing
///              ▲                            │ no room           │ link ended, rejected
///              └────────────────────────────┴───────────────────┘
/// ```
public final class Copying {
    /// After so long without a byte, while some could come, the link ends and another is made.
    private static final Duration STALLED = Duration.ofSeconds(60);

    private final Following following;
    private final CopyTarget target;
    private @Nullable SideCopy side;
    /// What this link's leader offered, or the last one's while the owner has not answered yet.
    private @Nullable CopyPlan plan;
    private boolean begun;
    private boolean live;
    private boolean switching;
    private long base;
    private long received;
    private long written;
    private long confirm;
    private long progressNanos;

    Copying(Following following, CopyTarget target, @Nullable SideCopy held) {
        this.following = following;
        this.target = target;
        this.side = held;
    }

    /// There is room, and what was held before is as it was said: bytes may come.
    public void begun(long nowNanos) {
        CopyPlan of = planned("COPY-7 a copy begins once", !begun);
        begun = true;
        side = new SideCopy(of, written);
        progressNanos = nowNanos;
        following.copyAnswered(nowNanos);
    }

    /// There is no room; nothing is held any more unless the copy would have gone on.
    public void noRoom(long neededBytes, long freeBytes, long nowNanos) {
        Invariant.check(plan != null && !begun, "COPY-7 a copy begins once");
        plan = null;
        String detail = "needs " + neededBytes + " bytes, " + freeBytes + " are free";
        following.copyFailed(new Fault(Cause.NO_ROOM, detail), nowNanos);
    }

    /// What was held cannot be gone on with, or nothing can be begun; nothing is held any more.
    public void lost(String why, long nowNanos) {
        Invariant.check(plan != null && !begun, "COPY-7 a copy begins once");
        plan = null;
        side = null;
        following.copyFailed(new Fault(Cause.LOG_FAILED, "the copy: " + why), nowNanos);
    }

    /// The copy is written up to `position`.
    public void written(long position, long nowNanos) {
        CopyPlan of = planned(
                "COPY-5 only what was received can be written", begun && position >= written && position <= received);
        written = position;
        side = new SideCopy(of, position);
        progressNanos = nowNanos;
        following.copyAnswered(nowNanos);
    }

    /// What came behind `position` was damaged, or could not be written. Nothing from there on was or will be taken.
    public void rejected(long position, Cause cause, String why, long nowNanos) {
        CopyPlan of = planned(
                "COPY-5 only what was received can be rejected", begun && position >= written && position <= received);
        written = position;
        received = position;
        side = new SideCopy(of, position);
        following.copyFailed(new Fault(cause, why), nowNanos);
    }

    /// The plan that an answer is about; there is no answer without one.
    private CopyPlan planned(String rule, boolean holds) {
        CopyPlan of = plan;
        if (of == null || !holds) {
            throw Invariant.broken(rule);
        }
        return of;
    }

    /// The copy is the log now, as `CopyTarget.switchOver` asked.
    public void switched(long nowNanos) {
        CopyPlan done = plan;
        if (done == null || !switching) {
            throw Invariant.broken("COPY-8 a copy takes the log's place when it was asked to");
        }
        switching = false;
        side = null;
        plan = null;
        LogView now = new LogView(
                done.logId(),
                done.epochs().cutAt(done.end()).dropBelow(done.begin()),
                done.begin(),
                done.end(),
                confirm);
        following.replaced(now, nowNanos);
    }

    /// What is held of a copy that is not whole; null when nothing is.
    public @Nullable SideCopy held() {
        return side;
    }

    // What follows is for the link.

    boolean isSettled() {
        return !switching && (plan == null || (begun && received == written));
    }

    /// Null while no copy is under way.
    @Nullable
    MemberState state() {
        CopyPlan of = plan;
        return of == null || !(live || switching) ? null : new MemberState.Reseeding(written, of.bytes());
    }

    /// The leader says what the copy consists of. It is looked at as if the leader lied.
    @Nullable
    Fault offered(CopyOffer offer, CopyRequest asked, LogView leader, boolean lost, long nowNanos) {
        SideCopy held = side;
        boolean anew = offer.kind() == CopyRequest.ANEW;
        if (!anew && (held == null || !goesOn(offer, asked, leader, held))) {
            return new Fault(Cause.COPY_FALSE, "an offer of kind " + offer.kind() + " that does not go on with ours");
        }
        Snapshot snapshot =
                anew || held == null ? offer.snapshot() : held.plan().snapshot();
        boolean keepOld = lost || (held != null && held.plan().keepOld());
        plan = new CopyPlan(leader.logId(), leader.epochs(), offer.begin(), offer.end(), snapshot, keepOld);
        base = anew || held == null ? 0 : held.held();
        received = base;
        written = base;
        begun = false;
        live = true;
        confirm = 0;
        told(offer.confirm());
        if (anew) {
            side = null;
        }
        progressNanos = nowNanos;
        target.begin(plan, base);
        return null;
    }

    private static boolean goesOn(CopyOffer offer, CopyRequest asked, LogView leader, SideCopy held) {
        boolean same = offer.kind() == CopyRequest.LOG
                ? offer.snapshot().id() == asked.snapshotId()
                        && offer.snapshot().offset() == asked.snapshotOffset()
                : offer.snapshot().equals(held.plan().snapshot());
        return same
                && offer.kind() == asked.kind()
                && offer.begin() == asked.begin()
                && offer.end() >= held.logEnd()
                && asked.isPartOf(leader);
    }

    @Nullable
    Fault part(int part, long offset, ByteBuffer frame, int at, int length) {
        CopyPlan of = plan;
        if (of == null || !begun || part != of.partAt(received) || offset != received - of.startOf(part)) {
            return new Fault(Cause.COPY_FALSE, "part " + part + " from " + offset + ", where " + next(of) + " is next");
        }
        if (length > of.snapshot().parts().get(part).size() - offset) {
            return new Fault(Cause.COPY_FALSE, length + " bytes from " + offset + " go beyond part " + part);
        }
        Fault fault = overdrawn(length);
        if (fault == null) {
            received += length;
            target.part(part, offset, frame, at, length);
        }
        return fault;
    }

    @Nullable
    Fault log(long offset, ByteBuffer frame, int at, int length) {
        CopyPlan of = plan;
        if (of == null || !begun || of.partAt(received) >= 0 || offset != of.logAt(received)) {
            return new Fault(Cause.COPY_FALSE, "the log from " + offset + ", where " + next(of) + " is next");
        }
        if (length > of.end() - offset) {
            return new Fault(Cause.COPY_FALSE, length + " bytes from " + offset + " go beyond " + of.end());
        }
        Fault fault = overdrawn(length);
        if (fault == null) {
            received += length;
            target.append(offset, frame, at, length);
        }
        return fault;
    }

    private String next(@Nullable CopyPlan of) {
        if (of == null || !begun) {
            return "nothing";
        }
        int part = of.partAt(received);
        return part >= 0
                ? "part " + part + " from " + (received - of.startOf(part))
                : "the log from " + of.logAt(received) + " to " + of.end();
    }

    private @Nullable Fault overdrawn(int length) {
        long waiting = received - written;
        return waiting > 0 && waiting + length > following.limits().creditBytes()
                ? new Fault(Cause.CREDIT, waiting + " bytes of the copy wait, and " + length + " came")
                : null;
    }

    /// The leader's confirmOffset, of which the part that is copied counts; the snapshot's offset was confirmed when
    /// it was made.
    void told(long leaderConfirm) {
        CopyPlan of = plan;
        if (of != null) {
            confirm = Math.max(confirm, Math.max(of.snapshot().offset(), Math.min(of.end(), leaderConfirm)));
        }
    }

    /// How much of what this link carried is written.
    long taken() {
        return live ? written - base : 0;
    }

    /// What may come; 0 while there is no answer to whether there is room.
    int credit() {
        return live && begun ? following.limits().creditBytes() : 0;
    }

    boolean isWhole() {
        return live && begun && plan != null && written == plan.bytes();
    }

    /// The epoch of the leader that gave it.
    long reign() {
        return plan == null ? 0 : plan.epochs().newest();
    }

    void switchOver(long seen) {
        CopyPlan whole = plan;
        if (whole != null) {
            live = false;
            switching = true;
            target.switchOver(whole, confirm, seen);
        }
    }

    void linkEnded() {
        live = false;
    }

    /// The log goes on by itself.
    void notNeeded() {
        if (side != null) {
            side = null;
            plan = null;
            target.discard();
        }
    }

    @Nullable
    Fault stalled(long nowNanos) {
        boolean due = live && begun && nowNanos - progressNanos >= STALLED.toNanos();
        return due ? new Fault(Cause.COPY_STALLED, "nothing came for " + STALLED.toSeconds() + " s") : null;
    }
}
