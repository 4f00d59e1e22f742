package gantry.replica.lead;

import gantry.base.Invariant;
import gantry.replica.epoch.EpochTable;
import gantry.replica.frame.AckLayout;
import gantry.replica.frame.BatchLayout;
import gantry.replica.frame.BeatLayout;
import gantry.replica.frame.Cause;
import gantry.replica.frame.Fault;
import gantry.replica.frame.FrameReader;
import gantry.replica.frame.FrameType;
import gantry.replica.frame.FrameWriter;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// The batches on their way to one follower, and what it acknowledged of them.
///
/// For:   never sending more than the follower takes, and never believing more than was sent.
/// Owner: the link's machine.
/// Holds: STREAM-1 acknowledged <= sent <= the leader's end; STREAM-2 a batch lies in one epoch.
final class Stream {
    /// A member far behind gets so much at a time; the rest follows with its acknowledgements, so that nobody
    /// else waits.
    private static final int MAX_BATCHES_AT_ONCE = 16;

    private final FrameWriter out;
    private final EpochTable epochs;
    private final long reign;
    private final int batchBytes;
    private final int maxCreditBytes;
    private long sent;
    private long written;
    private long synced;
    private int creditBytes;
    /// The confirmOffset that the follower was told last.
    private long told;

    Stream(
            FrameWriter out,
            EpochTable epochs,
            long at,
            long synced,
            int creditBytes,
            int batchBytes,
            int maxCreditBytes) {
        this.out = out;
        this.epochs = epochs;
        this.reign = epochs.newest();
        this.batchBytes = batchBytes;
        this.maxCreditBytes = maxCreditBytes;
        this.sent = at;
        this.written = at;
        this.synced = Math.min(synced, at);
        this.creditBytes = creditBytes;
    }

    long written() {
        return written;
    }

    long synced() {
        return synced;
    }

    /// Sends what there is and what the follower takes.
    ///
    /// @return why the link has to end, or null
    @Nullable
    Fault fill(LeaderLog log, long end, long confirm, long leaderMillis) {
        for (int i = 0; i < MAX_BATCHES_AT_ONCE && sent < end; i++) {
            if (sent < log.begin()) {
                return new Fault(Cause.RANGE_GONE, "it needs " + sent + ", the log begins at " + log.begin());
            }
            long room = Math.min(creditBytes, maxCreditBytes) - (sent - written);
            if (room <= 0) {
                return null;
            }
            ByteBuffer records = log.read(sent, epochs.nextStart(sent, end), (int) Math.min(room, batchBytes));
            int size = records.remaining();
            boolean tooMuchNow = size > room && sent > written;
            if (size == 0 || tooMuchNow) {
                return null;
            }
            Invariant.check(sent + size <= end, "STREAM-1 nothing is sent that is not in the log");
            BatchLayout.write(out, reign, sent, confirm, leaderMillis);
            told = confirm;
            if (!out.send(FrameType.BATCH, records)) {
                return new Fault(Cause.OUTBOX_FULL, (sent - written) + " bytes are on their way");
            }
            sent += size;
        }
        return null;
    }

    @Nullable
    Fault beat(long end, long confirm, long leaderMillis) {
        told = confirm;
        return beat(out, reign, end, confirm, leaderMillis);
    }

    @Nullable
    static Fault beat(FrameWriter out, long reign, long end, long confirm, long leaderMillis) {
        BeatLayout.write(out, reign, end, confirm, leaderMillis);
        return out.send(FrameType.BEAT) ? null : new Fault(Cause.OUTBOX_FULL, "");
    }

    /// Whether no batch is at hand that would tell the follower how far the log is confirmed now.
    boolean owesConfirm(long end, long confirm) {
        return sent == end && told < confirm;
    }

    /// The confirmOffset that the follower was told last.
    long told() {
        return told;
    }

    /// Nothing is on its way.
    boolean isIdle() {
        return sent == written;
    }

    /// Checks an acknowledgement whole before any of it counts.
    @Nullable
    Fault acknowledge(FrameReader checked, ByteBuffer frame) {
        if (checked.bodyLength() != AckLayout.BYTES) {
            return new Fault(Cause.BODY, "an acknowledgement of " + checked.bodyLength() + " bytes");
        }
        int at = checked.bodyAt();
        if (AckLayout.reign(frame, at) != reign) {
            return new Fault(Cause.ACK_EPOCH, "epoch " + AckLayout.reign(frame, at) + ", this is " + reign);
        }
        long nowWritten = AckLayout.written(frame, at);
        long nowSynced = AckLayout.synced(frame, at);
        int credit = AckLayout.creditBytes(frame, at);
        if (nowWritten > sent || nowWritten < written) {
            return new Fault(
                    Cause.ACK_FALSE, "written " + nowWritten + ", where " + written + " to " + sent + " can be");
        }
        if (nowSynced > nowWritten || nowSynced < synced) {
            return new Fault(
                    Cause.ACK_FALSE, "synced " + nowSynced + ", where " + synced + " to " + nowWritten + " can be");
        }
        if (credit < 0) {
            return new Fault(Cause.ACK_FALSE, "a credit of " + credit);
        }
        written = nowWritten;
        synced = nowSynced;
        creditBytes = credit;
        return null;
    }
}
