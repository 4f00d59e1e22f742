package gantry.replica.frame;

import gantry.replica.copy.SideCopy;
import gantry.replica.epoch.EpochTable;
import gantry.replica.epoch.LogId;
import gantry.replica.epoch.LogView;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// The follower asks for a copy, and says what it has of one already.
///
/// ```
///   0      1       17      25    33           41               49             57
///   ┌──────┬───────┬───────┬─────┬────────────┬────────────────┬──────────────┬──────────┬──────────────────┐
///   │ kind │ logId │ begin │ end │ snapshotId │ snapshotOffset │ snapshotHeld │ 2: count │ count × epoch 24 │
///   └──────┴───────┴───────┴─────┴────────────┴────────────────┴──────────────┴──────────┴──────────────────┘
/// ```
/// For:   going on with a copy where it ended.
/// Owner: none (immutable).
///
/// @param kind `ANEW`: nothing is held, the rest is zero; `SNAPSHOT`: a part of the snapshot; `LOG`: all of it
/// @param end where the copied log ends
/// @param epochs the history that the copied log and the snapshot are of, as their leader told it
public record CopyRequest(
        int kind,
        LogId logId,
        long begin,
        long end,
        long snapshotId,
        long snapshotOffset,
        long snapshotHeld,
        EpochTable epochs) {
    public static final int ANEW = 0;
    public static final int SNAPSHOT = 1;
    public static final int LOG = 2;

    private static final int FIXED_BYTES = 57;

    /// @param side null when there is none
    public static CopyRequest of(@Nullable SideCopy side) {
        if (side == null) {
            return new CopyRequest(ANEW, LogId.NONE, 0, 0, 0, 0, 0, EpochTable.EMPTY);
        }
        var plan = side.plan();
        return new CopyRequest(
                side.hasSnapshot() ? LOG : SNAPSHOT,
                plan.logId(),
                plan.begin(),
                side.logEnd(),
                plan.snapshot().id(),
                plan.snapshot().offset(),
                side.snapshotHeld(),
                plan.epochs());
    }

    /// Whether what is held is part of the leader's history, so that it is worth going on.
    public boolean isPartOf(LogView leader) {
        long reach = Math.max(end, snapshotOffset);
        return kind != ANEW
                && logId.equals(leader.logId())
                && end >= leader.begin()
                && reach <= leader.end()
                && epochs.commonEnd(reach, leader.epochs(), leader.end()) >= reach;
    }

    public static CopyRequest read(BodyReader in) {
        int kind = in.u8();
        var logId = in.logId();
        long begin = in.int64();
        long end = in.int64();
        long snapshotId = in.int64();
        long snapshotOffset = in.int64();
        long snapshotHeld = in.int64();
        CopyRequest request =
                new CopyRequest(kind, logId, begin, end, snapshotId, snapshotOffset, snapshotHeld, in.epochs());
        String fault = request.fault();
        if (fault != null) {
            in.reject(fault);
        }
        return request;
    }

    private @Nullable String fault() {
        if (kind < ANEW || kind > LOG) {
            return "a request of kind " + kind;
        }
        if (begin < 0 || end < begin || end > CopyOffer.MAX_END || (kind != LOG && end != begin)) {
            return "a copy of kind " + kind + " whose log reaches from " + begin + " to " + end;
        }
        if (snapshotOffset < begin
                || snapshotOffset > CopyOffer.MAX_END
                || snapshotHeld < 0
                || snapshotHeld > CopyOffer.MAX_END) {
            return snapshotHeld + " bytes of a snapshot at " + snapshotOffset + ", the log begins at " + begin;
        }
        return null;
    }

    public ByteBuffer write(FrameWriter out) {
        ByteBuffer to = out.body(FIXED_BYTES + BodyWriter.epochsBytes(epochs));
        to.put((byte) kind);
        BodyWriter.logId(to, logId);
        to.putLong(begin).putLong(end);
        to.putLong(snapshotId).putLong(snapshotOffset).putLong(snapshotHeld);
        BodyWriter.epochs(to, epochs);
        return to;
    }
}
