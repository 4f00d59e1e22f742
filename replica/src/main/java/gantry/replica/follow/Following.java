package gantry.replica.follow;

import gantry.base.Entropy;
import gantry.base.Invariant;
import gantry.base.Notices;
import gantry.replica.copy.SideCopy;
import gantry.replica.epoch.Epoch;
import gantry.replica.epoch.EpochTable;
import gantry.replica.epoch.LogId;
import gantry.replica.epoch.LogView;
import gantry.replica.frame.Cause;
import gantry.replica.frame.Fault;
import gantry.replica.frame.FrameWriter;
import gantry.replica.frame.Outlet;
import gantry.replica.frame.Position;
import gantry.replica.hello.FollowerHello;
import gantry.replica.hello.Identity;
import gantry.replica.hello.Trust;
import gantry.replica.member.Limits;
import gantry.replica.member.MemberState;
import gantry.replica.member.Refusals;
import gantry.replica.range.Mending;
import gantry.replica.range.RangeLink;
import gantry.replica.range.RangeLog;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// A follower: its log as it stands, and the one link to its leader.
///
/// For:   taking what the leader proves to be the next part of the log, and nothing else.
/// Owner: the log sequencer.
/// Never: a clock, a socket, a file; connects by itself: `wantsLink` says when to.
/// Holds: FOLLOW-1 confirmOffset never goes back, but by a copy, and never passes what is written; FOLLOW-2 nothing at
/// or below
///        confirmOffset is cut; FOLLOW-3 at most `creditBytes` (or one batch) wait to be written; FOLLOW-4 no
///        leader with an older epoch than one followed before is followed.
///
/// ```
///   idle ── wantsLink: dial ──▶ linked ── ended ──▶ waits: redial, the log to settle, a cut to be done ──▶ idle
/// ```
public final class Following {
    /// After so long without an answer of the log the follower says so.
    private static final Duration LOG_ANSWERS = Duration.ofSeconds(8);

    private final Identity self;
    private final Trust trust;
    private final Limits limits;
    private final FollowerLog log;
    private final RandomGenerator random;
    private final Notices notices;
    private final Refusals refusals;
    private LogId logId;
    private EpochTable epochs;
    private long seen;
    private long begin;
    private long received;
    private long written;
    private long synced;
    private long confirm;
    /// The leader's end as it was told last; never below what is received.
    private long leaderEnd;

    private @Nullable FollowerLink link;
    private @Nullable Copying copying;
    private @Nullable RangeLog ranges;
    private @Nullable Mending mending;
    private long compared;
    private boolean cutting;
    private long redialNanos;
    private long notBeforeNanos;
    private boolean dialled;
    private MemberState state = new MemberState.Connecting();
    /// When the log answered last, or had nothing to answer.
    private long answeredNanos;
    /// What the log has not answered for too long.
    private @Nullable Fault stuck;
    /// The operator was told of a trouble, and not yet of its end.
    private boolean troubled;

    /// @param start the log as it was opened
    /// @param synced up to where it is on disk
    /// @param seen the newest epoch that it was told to follow
    public Following(
            Identity self,
            Trust trust,
            Limits limits,
            LogView start,
            long synced,
            long seen,
            FollowerLog log,
            Notices notices,
            Entropy entropy) {
        String fault = start.fault();
        Invariant.check(
                fault == null && seen >= start.epochs().newest(), "FOLLOW-5 a follower's log is sound: " + fault);
        this.self = self;
        this.trust = trust;
        this.limits = limits;
        this.log = log;
        this.random = entropy.fork("replica hello");
        this.notices = notices;
        this.refusals = new Refusals(notices);
        this.logId = start.logId();
        this.epochs = start.epochs();
        this.seen = seen;
        this.begin = start.begin();
        this.received = start.end();
        this.written = start.end();
        this.synced = synced;
        this.confirm = start.confirm();
        this.leaderEnd = start.end();
        this.redialNanos = limits.firstRedial().toNanos();
    }

    /// A log that cannot be gone on from may be replaced by a copy of the leader's; without this the follower is
    /// refused with `NEEDS_RESEED`. Called once, before the first connection.
    ///
    /// @param held what is there of a copy that was not whole; null when nothing is
    public Copying takesCopies(CopyTarget target, @Nullable SideCopy held) {
        Invariant.check(copying == null && !dialled, "COPY-7 a follower has one place for a copy, from its start");
        Copying made = new Copying(this, target, held);
        copying = made;
        return made;
    }

    /// The leader may compare our log with its own, and what is rotten here is asked for; without this nothing is
    /// compared or given. Called once, before the first connection.
    public void comparesRanges(RangeLog own) {
        Invariant.check(ranges == null && !dialled, "RANGE-3 logs are compared from a follower's start");
        ranges = own;
        mending = new Mending(own, notices);
    }

    /// What has become of what was rotten here; null where nothing is compared.
    public @Nullable Mending mending() {
        return mending;
    }

    /// How many ranges its leader has compared.
    public long compared() {
        return compared;
    }

    /// Whether a connection to the leader should be made now.
    public boolean wantsLink(long nowNanos) {
        return link == null && isSettled() && (!dialled || nowNanos - notBeforeNanos >= 0);
    }

    /// A connection to the leader is being made; frames may be sent at once.
    ///
    /// @param certified the name that the connection's certificate gives, null when it has none
    public FollowerLink dialled(Outlet outlet, @Nullable String certified, long nowNanos) {
        Invariant.check(wantsLink(nowNanos), "FOLLOW-6 a follower has one link at a time");
        dialled = true;
        answered(nowNanos);
        FollowerLink made = new FollowerLink(this, outlet, new FollowerHello(self, trust, random, certified), nowNanos);
        link = made;
        if (!(state instanceof MemberState.Refused)) {
            state = new MemberState.Connecting();
        }
        made.start(nowNanos);
        return made;
    }

    /// Appended records are written up to `end`.
    public void written(long end, long nowNanos) {
        Invariant.check(end >= written && end <= received, "FOLLOW-1 only what was received can be written");
        getsOn(end > written);
        written = end;
        answered(nowNanos);
        acknowledge(nowNanos);
    }

    /// The log is on disk up to `end`.
    public void synced(long end, long nowNanos) {
        Invariant.check(end >= synced && end <= written, "FOLLOW-1 only what is written can be on disk");
        synced = end;
        acknowledge(nowNanos);
    }

    /// Both at once.
    public void stored(long end, long nowNanos) {
        Invariant.check(end >= written && end <= received, "FOLLOW-1 only what was received can be written");
        getsOn(end > written);
        written = end;
        synced = end;
        answered(nowNanos);
        acknowledge(nowNanos);
    }

    /// A record at `at` was damaged, or could not be written. Nothing from there on was or will be taken.
    public void rejected(long at, Cause cause, String why, long nowNanos) {
        Invariant.check(at >= written && at <= received, "FOLLOW-1 only what was received can be rejected");
        written = at;
        received = at;
        // One that was to begin with what was not taken begins when that comes again.
        epochs = epochs.cutAt(at);
        answered(nowNanos);
        FollowerLink ending = link;
        if (ending != null) {
            ending.end(new Fault(cause, why), true, nowNanos);
        }
    }

    /// The log ends at `end` now, as `FollowerLog.cutBack` asked.
    public void cut(long end, long nowNanos) {
        Invariant.check(cutting && end >= confirm, "FOLLOW-2 nothing that is confirmed is cut");
        cutting = false;
        answered(nowNanos);
        received = end;
        written = end;
        synced = end;
        leaderEnd = end;
        epochs = epochs.cutAt(end);
        notBeforeNanos = nowNanos;
    }

    /// Retention has dropped what was below.
    public void dropped(long nowBegin) {
        begin = nowBegin;
        epochs = epochs.dropBelow(nowBegin);
    }

    /// Time passes; at least every 100 ms.
    public void tick(long nowNanos) {
        if (isSettled()) {
            answered(nowNanos);
        } else if (nowNanos - answeredNanos >= LOG_ANSWERS.toNanos()) {
            String what = received > written
                    ? (received - written) + " bytes from " + written + " on"
                    : cutting ? "the cut" : "the copy";
            String since = (nowNanos - answeredNanos) / 1_000_000_000 + " s";
            stuck = new Fault(Cause.LOG_FAILED, "the log has not answered for " + since + ": " + what);
            troubled |= refusals.add(stuck, "this follower", nowNanos);
        }
        if (link != null) {
            link.tick(nowNanos);
        }
        getsOn(link != null && state() instanceof MemberState.InSync);
        Mending mends = mending;
        if (mends != null) {
            FollowerLink now = link;
            FollowerRanges its = now == null ? null : now.ranges();
            List<RangeLink> givers =
                    its != null && state() instanceof MemberState.InSync ? List.of(its.link()) : List.of();
            mends.tick(givers, nowNanos);
        }
        if (troubled && state() instanceof MemberState.InSync) {
            troubled = false;
            notices.over("replication: this follower is in sync again");
        }
    }

    /// Nobody is followed any more.
    public void stop(long nowNanos) {
        if (link != null) {
            link.end(new Fault(Cause.ENDED, "the follower stops"), false, nowNanos);
        }
    }

    public MemberState state() {
        if (stuck != null) {
            return new MemberState.Refused(stuck);
        }
        MemberState copies = copying == null ? null : copying.state();
        if (copies != null) {
            return copies;
        }
        if (state instanceof MemberState.CatchingUp) {
            return written >= leaderEnd ? new MemberState.InSync() : new MemberState.CatchingUp(leaderEnd - written);
        }
        return state;
    }

    public LogView view() {
        return new LogView(logId, epochs, begin, written, confirm);
    }

    public long seen() {
        return seen;
    }

    public long confirmOffset() {
        return confirm;
    }

    public long refused(Cause cause) {
        return refusals.count(cause);
    }

    private boolean isSettled() {
        return received == written && !cutting && (copying == null || copying.isSettled());
    }

    private void answered(long nowNanos) {
        answeredNanos = nowNanos;
        stuck = null;
    }

    /// Only who gets on connects again at once: where the log takes nothing, as on a full disk, each connection would
    /// have the leader send the same once more.
    private void getsOn(boolean does) {
        if (does) {
            redialNanos = limits.firstRedial().toNanos();
        }
    }

    private void acknowledge(long nowNanos) {
        raiseConfirm();
        if (link != null) {
            link.acknowledge(nowNanos);
        }
    }

    private void raiseConfirm() {
        long now = Math.min(written, link == null ? confirm : link.leaderConfirm());
        if (now > confirm) {
            confirm = now;
            log.confirmed(confirm);
        }
    }

    // What follows is for the link.

    /// Null where nothing is compared.
    @Nullable
    FollowerRanges ranges(FrameWriter out, RangeLink.Ends ends) {
        RangeLog own = ranges;
        Mending mends = mending;
        return own == null || mends == null
                ? null
                : new FollowerRanges(
                        out,
                        own,
                        new RangeLink(out, own, mends, limits.batchBytes(), this::confirmOffset, ends),
                        this::confirmOffset,
                        ends,
                        () -> compared++);
    }

    Limits limits() {
        return limits;
    }

    Position position() {
        return new Position(view(), synced, seen, limits.creditBytes(), log.fileBytes());
    }

    long received() {
        return received;
    }

    long writtenEnd() {
        return written;
    }

    long syncedEnd() {
        return synced;
    }

    /// The leader's stream begins where our log ends.
    void follows(LogId leadersLog, long reign, long end) {
        logId = leadersLog;
        seen = reign;
        leaderEnd = Math.max(received, end);
        state = new MemberState.CatchingUp(leaderEnd - received);
        log.follows(leadersLog, reign);
        if (copying != null) {
            copying.notNeeded();
        }
    }

    @Nullable
    Copying copying() {
        return copying;
    }

    /// The log cannot be gone on from, and is copied; an operator is told once a minute.
    void copies(Fault why, long nowNanos) {
        state = new MemberState.Reseeding(0, 0);
        troubled |= refusals.add(why, "this follower copies the leader's log anew", nowNanos);
    }

    void copyAnswered(long nowNanos) {
        answered(nowNanos);
        if (link != null) {
            redialNanos = limits.firstRedial().toNanos();
            link.acknowledge(nowNanos);
        }
    }

    void copyFailed(Fault why, long nowNanos) {
        answered(nowNanos);
        if (link != null) {
            link.end(why, true, nowNanos);
        }
    }

    void changesLog(Copying whole) {
        seen = Math.max(seen, whole.reign());
        whole.switchOver(seen);
    }

    /// A copy has taken the log's place. Where the old one held what the leader has lost, confirmOffset goes back.
    void replaced(LogView now, long nowNanos) {
        answered(nowNanos);
        logId = now.logId();
        epochs = now.epochs();
        begin = now.begin();
        received = now.end();
        written = now.end();
        synced = now.end();
        leaderEnd = now.end();
        confirm = now.confirm();
        state = new MemberState.Connecting();
        notBeforeNanos = nowNanos;
    }

    void cutsBack(long end) {
        Invariant.check(end >= confirm && end >= begin && end <= written, "FOLLOW-2 nothing that is confirmed is cut");
        cutting = true;
        state = new MemberState.Diverged(end);
        log.cutBack(end);
    }

    void append(@Nullable Epoch epoch, long offset, ByteBuffer frame, int at, int length, long leaderMillis) {
        if (epoch != null && epoch.number() > epochs.newest()) {
            epochs = epochs.begin(epoch);
            log.begins(epoch);
        }
        received = offset + length;
        leaderEnd = Math.max(leaderEnd, received);
        log.append(offset, frame, at, length, leaderMillis);
    }

    void heard(long end) {
        leaderEnd = Math.max(end, received);
        raiseConfirm();
    }

    void ended(FollowerLink ending, Fault fault, boolean inPeace, long nowNanos) {
        if (link != ending) {
            return;
        }
        link = null;
        if (copying != null) {
            copying.linkEnded();
        }
        notBeforeNanos = nowNanos + redialNanos;
        if (inPeace) {
            return;
        }
        troubled |= refusals.add(fault, "the leader", nowNanos);
        redialNanos = Math.min(redialNanos * 2, limits.redial().toNanos());
        if (fault.cause().source() != Cause.Source.LINK) {
            state = new MemberState.Refused(fault);
        } else if (!(state instanceof MemberState.Refused)) {
            state = new MemberState.Silent(nowNanos);
        }
    }
}
