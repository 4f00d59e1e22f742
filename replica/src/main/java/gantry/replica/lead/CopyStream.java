package gantry.replica.lead;

import gantry.base.Invariant;
import gantry.replica.copy.CopyPlan;
import gantry.replica.epoch.LogView;
import gantry.replica.frame.BodyReader;
import gantry.replica.frame.Cause;
import gantry.replica.frame.CopyLayout;
import gantry.replica.frame.CopyOffer;
import gantry.replica.frame.CopyRequest;
import gantry.replica.frame.Fault;
import gantry.replica.frame.FrameReader;
import gantry.replica.frame.FrameType;
import gantry.replica.frame.FrameWriter;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A copy on its way to one follower, and what it acknowledged of it.
///
/// For:   sending each byte once, at the pace of all copies, and never more than the follower takes.
/// Owner: the link's machine.
/// Holds: COPY-2 taken <= sent <= the copy's end.
///
/// ```
///   asked for nothing ── COPY_REQUEST ──▶ offer is made ── COPY_OFFER ──▶ sending ── all taken ──▶ done
/// ```
final class CopyStream {
    /// The rest follows with acknowledgements and ticks, so that nobody else waits.
    private static final int MAX_FRAMES_AT_ONCE = 16;
    /// After so long without progress the link ends: it says why, and the follower comes again.
    private static final Duration STALLED = Duration.ofSeconds(60);

    private final FrameWriter out;
    private final Copies copies;
    private final CopySource source;
    private final long member;
    private final LogView shown;
    private final int batchBytes;
    private final int maxCreditBytes;
    private @Nullable CopyRequest request;
    private @Nullable CopyPlan plan;
    /// Bytes of a snapshot that was copied before, and is not in the plan.
    private long before;
    /// Where this link goes on.
    private long base;

    private long sent;
    private long taken;
    private int creditBytes;
    private long progressNanos;

    CopyStream(
            FrameWriter out,
            Copies copies,
            CopySource source,
            long member,
            LogView shown,
            int batchBytes,
            int maxCreditBytes,
            long nowNanos) {
        this.out = out;
        this.copies = copies;
        this.source = source;
        this.member = member;
        this.shown = shown;
        this.batchBytes = batchBytes;
        this.maxCreditBytes = maxCreditBytes;
        this.progressNanos = nowNanos;
    }

    @Nullable
    Fault requested(FrameReader checked, ByteBuffer frame) {
        if (request != null) {
            return new Fault(Cause.NOT_NOW, "a copy was asked for already");
        }
        BodyReader in = new BodyReader(frame, checked);
        CopyRequest read = CopyRequest.read(in);
        if (in.fault() != null) {
            return in.fault();
        }
        request = read;
        return null;
    }

    /// Checks an acknowledgement whole before any of it counts.
    @Nullable
    Fault acknowledge(FrameReader checked, ByteBuffer frame, long nowNanos) {
        if (checked.bodyLength() != CopyLayout.ACK_BYTES) {
            return new Fault(Cause.BODY, "an acknowledgement of " + checked.bodyLength() + " bytes");
        }
        long nowTaken = CopyLayout.taken(frame, checked.bodyAt());
        int credit = CopyLayout.creditBytes(frame, checked.bodyAt());
        if (nowTaken < taken || nowTaken > sent - base) {
            return new Fault(
                    Cause.ACK_FALSE, nowTaken + " of the copy, where " + taken + " to " + (sent - base) + " can be");
        }
        if (credit < 0 || (credit > 0 && plan == null)) {
            return new Fault(Cause.ACK_FALSE, "a credit of " + credit);
        }
        if (nowTaken > taken) {
            progressNanos = nowNanos;
        }
        taken = nowTaken;
        creditBytes = credit;
        if (plan != null) {
            copies.hold(member, plan.logAt(base + taken));
        }
        return null;
    }

    /// Whether it is asked for, and nothing was offered yet.
    boolean wantsOffer() {
        return request != null && plan == null;
    }

    /// Sends what the follower takes and the pace allows.
    @Nullable
    Fault fill(LeaderLog log, long nowNanos) {
        CopyPlan of = plan;
        if (of == null) {
            return null;
        }
        for (int i = 0;
                i < MAX_FRAMES_AT_ONCE && sent < of.bytes() && copies.pace().isFree(nowNanos);
                i++) {
            long room = Math.min(creditBytes, maxCreditBytes) - (sent - base - taken);
            if (room <= 0) {
                return null;
            }
            long from = sent;
            int part = of.partAt(sent);
            Fault fault = part >= 0 ? sendPart(of, part, room) : sendLog(of, log, room);
            if (fault != null || sent == from) {
                return fault;
            }
            copies.pace().spend((int) (sent - from), nowNanos);
        }
        return null;
    }

    /// Says what the copy consists of, once the snapshot is there.
    ///
    /// @param now the log as it is
    @Nullable
    Fault offer(LogView now, long nowNanos) {
        CopyRequest asked = request;
        CopyOffer offer = asked == null ? null : copies.offer(source, member, asked, shown, now);
        if (asked == null || offer == null) {
            return null;
        }
        offer.write(out);
        if (!out.send(FrameType.COPY_OFFER)) {
            return new Fault(Cause.OUTBOX_FULL, "");
        }
        CopyPlan made = new CopyPlan(now.logId(), now.epochs(), offer.begin(), offer.end(), offer.snapshot(), false);
        base = switch (offer.kind()) {
            case CopyRequest.LOG -> made.positionOf(asked.end());
            case CopyRequest.SNAPSHOT -> asked.snapshotHeld();
            default -> 0;
        };
        before = offer.kind() == CopyRequest.LOG ? asked.snapshotHeld() : 0;
        sent = base;
        plan = made;
        progressNanos = nowNanos;
        copies.hold(member, made.logAt(base));
        return null;
    }

    private @Nullable Fault sendPart(CopyPlan of, int part, long room) {
        long at = sent - of.startOf(part);
        long left = of.snapshot().parts().get(part).size() - at;
        int most = (int) Math.min(Math.min(left, room), batchBytes);
        ByteBuffer bytes = source.read(of.snapshot(), part, at, most);
        int size = bytes.remaining();
        if (size == 0) {
            return null;
        }
        Invariant.check(size <= most, "COPY-2 no more of a part is sent than was asked for");
        CopyLayout.writePart(out, part, at);
        return send(FrameType.COPY_PART, bytes, size);
    }

    private @Nullable Fault sendLog(CopyPlan of, LeaderLog log, long room) {
        long from = of.logAt(sent);
        if (from < log.begin()) {
            return new Fault(Cause.RANGE_GONE, "its copy needs " + from + ", the log begins at " + log.begin());
        }
        ByteBuffer records = log.read(from, of.end(), (int) Math.min(room, batchBytes));
        int size = records.remaining();
        boolean tooMuchNow = size > room && sent - base > taken;
        if (size == 0 || tooMuchNow) {
            return null;
        }
        Invariant.check(from + size <= of.end(), "COPY-2 nothing is sent that is not of the copy");
        CopyLayout.writeLog(out, from);
        return send(FrameType.COPY_LOG, records, size);
    }

    private @Nullable Fault send(FrameType type, ByteBuffer bytes, int size) {
        if (!out.send(type, bytes)) {
            return new Fault(Cause.OUTBOX_FULL, (sent - base - taken) + " bytes of the copy are on their way");
        }
        sent += size;
        return null;
    }

    /// Why the link has to end, after all this time; null when it gets on.
    @Nullable
    Fault stalled(long nowNanos) {
        long since = nowNanos - progressNanos;
        if (since < STALLED.toNanos()) {
            return null;
        }
        String what = request == null
                ? "the member has not asked for it"
                : plan == null
                        ? "the snapshot of the folded state is not made"
                        : creditBytes == 0 ? "the member takes nothing" : "at byte " + (base + taken);
        return new Fault(Cause.COPY_STALLED, "for " + since / 1_000_000_000 + " s: " + what);
    }

    /// Whether the follower has all of it; a credit says that it had the room to begin.
    boolean isDone() {
        return plan != null && creditBytes > 0 && base + taken == plan.bytes();
    }

    long done() {
        return before + base + taken;
    }

    long total() {
        return plan == null ? 0 : before + plan.bytes();
    }
}
