package gantry.replica.lead;

import gantry.base.Notices;
import gantry.replica.frame.Cause;
import gantry.replica.frame.Fault;
import gantry.replica.frame.FrameReader;
import gantry.replica.frame.FrameType;
import gantry.replica.frame.FrameWriter;
import gantry.replica.frame.RangeDigest;
import gantry.replica.frame.RangeLayout;
import gantry.replica.member.CompareLimits;
import gantry.replica.range.Found;
import gantry.replica.range.RangeLink;
import gantry.replica.range.RangeLog;
import gantry.replica.range.RangeSeen;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Walks over the log that both sides have settled, and compares it with a follower's, range by range.
///
/// ```
///   RESTING ── due, pace ──▶ LOOKING at ours ── sound: COMPARE ──▶ ASKED ── COMPARED ──▶ RESTING
///      ▲                         └ rotten: listed, mended by `Mending`; the walk goes on behind it │
///      └──────────────────────────────────────────────────────────────────────────────────────────┘
/// ```
/// For:   one link to one member; what is rotten is found although nobody reads it.
/// Owner: the link's machine.
/// Never: more than one range at a time; sends bytes of the log.
/// Holds: RANGE-2 nothing is compared that is not confirmed, and on disk, on both sides.
final class Comparing {
    private static final Duration AGAIN = Duration.ofSeconds(1);
    private static final Duration QUIET = Duration.ofMinutes(1);

    private enum Step {
        RESTING,
        LOOKING,
        ASKED
    }

    private final FrameWriter out;
    private final RangeLog log;
    private final CompareRound round;
    private final CompareLimits limits;
    private final Pace pace;
    private final RangeLink.Ends ends;
    private final Notices notices;
    private final String who;
    private Step step = Step.RESTING;
    private boolean over;
    private long notBeforeNanos;
    private boolean waits;
    private long askedFrom;
    private long askedTo;
    private RangeDigest ours = RangeDigest.NONE;
    private boolean told;
    private long toldNanos;

    /// @param round what is kept of the member over its links
    /// @param who for sentences
    Comparing(
            FrameWriter out,
            RangeLog log,
            CompareRound round,
            CompareLimits limits,
            Pace pace,
            RangeLink.Ends ends,
            Notices notices,
            String who) {
        this.out = out;
        this.log = log;
        this.round = round;
        this.limits = limits;
        this.pace = pace;
        this.ends = ends;
        this.notices = notices;
        this.who = who;
    }

    /// Time passes, and the member is in sync.
    ///
    /// @param begin of our log
    /// @param settled what both have confirmed and on disk
    void tick(long begin, long settled, long nowNanos) {
        if (step != Step.RESTING || (waits && nowNanos - notBeforeNanos < 0)) {
            return;
        }
        waits = false;
        if (!round.isUnderWay()) {
            if (settled <= begin || !round.isDue(limits.every().toNanos(), nowNanos)) {
                return;
            }
            round.begin(begin, settled, nowNanos);
        }
        round.dropped(begin);
        if (round.position() >= round.end()) {
            round.ended(nowNanos);
        } else if (round.position() < settled && pace.isFree(nowNanos)) {
            step = Step.LOOKING;
            log.look(round.position(), Math.min(round.end(), settled), limits.rangeBytes(), this::looked);
        }
    }

    private void looked(RangeSeen seen, long nowNanos) {
        if (over) {
            return;
        }
        step = Step.RESTING;
        switch (seen.found()) {
            case SOUND -> {
                pace.spend((int) (seen.to() - seen.from()), nowNanos);
                askedFrom = seen.from();
                askedTo = seen.to();
                ours = seen.digest();
                step = Step.ASKED;
                RangeLayout.writeCompare(out, askedFrom, askedTo);
                if (!out.send(FrameType.COMPARE)) {
                    ends.end(new Fault(Cause.OUTBOX_FULL, ""), nowNanos);
                }
            }
            case ROTTEN -> round.skipped(seen.to());
            // Retention was faster, or nothing whole ends below what is settled.
            case GONE -> round.skipped(round.end());
            case NOT_NOW -> {
                waits = true;
                notBeforeNanos = nowNanos + AGAIN.toNanos();
            }
        }
    }

    /// COMPARED has come.
    @Nullable
    Fault take(FrameReader checked, ByteBuffer frame, long nowNanos) {
        int at = checked.bodyAt();
        Found found = checked.bodyLength() != RangeLayout.COMPARED_BYTES
                ? null
                : Found.of(RangeLayout.comparedFound(frame, at));
        if (found == null) {
            return new Fault(Cause.BODY, "a compared range of " + checked.bodyLength() + " bytes");
        }
        if (step != Step.ASKED || RangeLayout.from(frame, at) != askedFrom || RangeLayout.to(frame, at) != askedTo) {
            return new Fault(
                    Cause.RANGE_FALSE,
                    "compared was " + RangeLayout.from(frame, at) + " to " + RangeLayout.to(frame, at));
        }
        step = Step.RESTING;
        boolean same = RangeLayout.comparedDigest(frame, at).equals(ours);
        switch (found) {
            case SOUND, ROTTEN -> {
                if (same) {
                    round.same(askedFrom, askedTo);
                } else if (found == Found.ROTTEN) {
                    round.rottenThere(askedTo);
                } else {
                    differs(nowNanos);
                }
            }
            case GONE, NOT_NOW -> round.skipped(askedTo);
        }
        return null;
    }

    private void differs(long nowNanos) {
        round.differs(askedFrom, askedTo);
        if (!told || nowNanos - toldNanos >= QUIET.toNanos()) {
            told = true;
            toldNanos = nowNanos;
            notices.alarm(
                    "replication: the log of " + who + " differs from this leader's between log offset " + askedFrom
                            + " and " + askedTo
                            + ", and each says that its own is sound. Nothing was changed. Run ./gantry verify"
                            + " on both stores, and look at the messages there on both; a follower that is wrong is given an empty"
                            + " folder, and copies the log anew");
        }
    }

    void ended() {
        over = true;
    }
}
