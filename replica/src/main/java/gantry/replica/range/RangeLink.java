package gantry.replica.range;

import gantry.replica.frame.Cause;
import gantry.replica.frame.Fault;
import gantry.replica.frame.FrameReader;
import gantry.replica.frame.FrameType;
import gantry.replica.frame.FrameWriter;
import gantry.replica.frame.RangeDigest;
import gantry.replica.frame.RangeLayout;
import java.nio.ByteBuffer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Asks the other side of a link for a range of its log, and gives it one of ours; the same on both sides.
///
/// For:   ranges that one member has rotten and the other sound.
/// Owner: the link's machine.
/// Never: gives what is not confirmed or not sound; more than one range in each direction at a time.
public final class RangeLink {
    /// Ends the link; nothing comes after it.
    public interface Ends {
        void end(Fault why, long nowNanos);
    }

    private final FrameWriter out;
    private final RangeLog log;
    private final Mending mending;
    private final int mostBytes;
    private final LongSupplier confirm;
    private final Ends ends;
    private boolean giving;
    private boolean over;
    private long askedFrom = -1;

    /// @param mostBytes what a range carries; a single larger message travels alone
    /// @param confirm up to where the log may be given
    public RangeLink(FrameWriter out, RangeLog log, Mending mending, int mostBytes, LongSupplier confirm, Ends ends) {
        this.out = out;
        this.log = log;
        this.mending = mending;
        this.mostBytes = mostBytes;
        this.confirm = confirm;
        this.ends = ends;
    }

    /// RANGE_REQUEST or RANGE has come.
    public @Nullable Fault take(FrameReader checked, ByteBuffer frame, long nowNanos) {
        return switch (checked.type()) {
            case RANGE_REQUEST -> requested(checked, frame);
            case RANGE -> given(checked, frame, nowNanos);
            default -> new Fault(Cause.NOT_NOW, checked.type() + " came where a range was due");
        };
    }

    private @Nullable Fault requested(FrameReader checked, ByteBuffer frame) {
        if (checked.bodyLength() != RangeLayout.REQUEST_BYTES) {
            return new Fault(Cause.BODY, "a request for a range of " + checked.bodyLength() + " bytes");
        }
        long from = RangeLayout.from(frame, checked.bodyAt());
        int most = RangeLayout.mostBytes(frame, checked.bodyAt());
        if (from < 0 || most <= 0) {
            return new Fault(Cause.RANGE_FALSE, most + " bytes from " + from + " are asked for");
        }
        if (giving) {
            return new Fault(Cause.NOT_NOW, "a range was asked for before the last one was given");
        }
        giving = true;
        log.give(from, confirm.getAsLong(), Math.min(most, mostBytes), (seen, now) -> give(from, seen, now));
        return null;
    }

    private void give(long from, RangeSeen seen, long nowNanos) {
        giving = false;
        if (over) {
            return;
        }
        RangeLayout.writeRange(out, from, seen.found().code(), seen.digest());
        if (!out.send(FrameType.RANGE, seen.bytes().duplicate())) {
            ends.end(new Fault(Cause.OUTBOX_FULL, seen.bytes().remaining() + " bytes of a range"), nowNanos);
        }
    }

    private @Nullable Fault given(FrameReader checked, ByteBuffer frame, long nowNanos) {
        int at = checked.bodyAt();
        int length = checked.bodyLength() - RangeLayout.RANGE_PAYLOAD;
        Found found = length < 0 ? null : Found.of(RangeLayout.rangeFound(frame, at));
        if (found == null || (found == Found.SOUND) != (length > 0)) {
            return new Fault(Cause.BODY, "a range of " + checked.bodyLength() + " bytes");
        }
        long from = RangeLayout.from(frame, at);
        if (askedFrom < 0 || from != askedFrom) {
            return new Fault(Cause.RANGE_FALSE, "a range from " + from + ", asked for was " + askedFrom);
        }
        askedFrom = -1;
        // The frame is lent, and the log takes its time.
        ByteBuffer bytes = ByteBuffer.allocate(length);
        bytes.put(frame.duplicate()
                        .limit(at + RangeLayout.RANGE_PAYLOAD + length)
                        .position(at + RangeLayout.RANGE_PAYLOAD))
                .flip();
        RangeDigest digest = RangeLayout.rangeDigest(frame, at);
        mending.answered(this, found, digest, bytes, nowNanos);
        return null;
    }

    /// Whether nothing is on its way.
    boolean canBeAsked() {
        return !over && askedFrom < 0;
    }

    void ask(long from, long nowNanos) {
        askedFrom = from;
        RangeLayout.writeRequest(out, from, mostBytes);
        if (!out.send(FrameType.RANGE_REQUEST)) {
            ends.end(new Fault(Cause.OUTBOX_FULL, ""), nowNanos);
        }
    }

    /// The link is over; whatever is told later changes nothing.
    public void ended() {
        over = true;
        mending.ended(this);
    }
}
