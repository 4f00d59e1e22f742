package gantry.replica.follow;

import gantry.replica.frame.Cause;
import gantry.replica.frame.Fault;
import gantry.replica.frame.FrameReader;
import gantry.replica.frame.FrameType;
import gantry.replica.frame.FrameWriter;
import gantry.replica.frame.RangeLayout;
import gantry.replica.range.RangeLink;
import gantry.replica.range.RangeLog;
import gantry.replica.range.RangeSeen;
import java.nio.ByteBuffer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Answers the leader's comparisons, on one link.
///
/// For:   telling what stands in a range here: its digest, and whether it is sound.
/// Owner: the link's machine.
/// Never: more than one range at a time; looks above confirmOffset.
final class FollowerRanges {
    private final FrameWriter out;
    private final RangeLog log;
    private final RangeLink link;
    private final LongSupplier confirm;
    private final RangeLink.Ends ends;
    private boolean looking;
    private boolean over;
    private final Runnable counted;

    /// @param counted called for each range that was compared
    FollowerRanges(
            FrameWriter out,
            RangeLog log,
            RangeLink link,
            LongSupplier confirm,
            RangeLink.Ends ends,
            Runnable counted) {
        this.counted = counted;
        this.out = out;
        this.log = log;
        this.link = link;
        this.confirm = confirm;
        this.ends = ends;
    }

    RangeLink link() {
        return link;
    }

    /// One of the frames about ranges has come.
    @Nullable
    Fault take(FrameReader checked, ByteBuffer frame, long nowNanos) {
        return checked.type() == FrameType.COMPARE
                ? compare(checked, frame, nowNanos)
                : link.take(checked, frame, nowNanos);
    }

    private @Nullable Fault compare(FrameReader checked, ByteBuffer frame, long nowNanos) {
        if (checked.bodyLength() != RangeLayout.COMPARE_BYTES) {
            return new Fault(Cause.BODY, "a comparison of " + checked.bodyLength() + " bytes");
        }
        long from = RangeLayout.from(frame, checked.bodyAt());
        long to = RangeLayout.to(frame, checked.bodyAt());
        if (from < 0 || to <= from) {
            return new Fault(Cause.RANGE_FALSE, "a comparison of " + from + " to " + to);
        }
        if (looking) {
            return new Fault(Cause.NOT_NOW, "a comparison came before the last one was answered");
        }
        looking = true;
        if (to > confirm.getAsLong()) {
            answer(from, to, RangeSeen.gone(from), nowNanos);
        } else {
            log.lookAt(from, to, (seen, now) -> answer(from, to, seen, now));
        }
        return null;
    }

    private void answer(long from, long to, RangeSeen seen, long nowNanos) {
        looking = false;
        if (over) {
            return;
        }
        counted.run();
        RangeLayout.writeCompared(out, from, to, seen.found().code(), seen.digest());
        if (!out.send(FrameType.COMPARED)) {
            ends.end(new Fault(Cause.OUTBOX_FULL, ""), nowNanos);
        }
    }

    void ended() {
        over = true;
        link.ended();
    }
}
