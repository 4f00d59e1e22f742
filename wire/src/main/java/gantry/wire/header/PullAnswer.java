package gantry.wire.header;

import gantry.wire.frame.Codec;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.FrameFlags;
import gantry.wire.frame.FrameWriter;
import org.jspecify.annotations.Nullable;

/// Writes the answer to a pull.
///
/// For:   requests 11 and 361, with every code that clients read offsets from: 0, 19, 20 and 21.
/// Owner: none (stateless).
/// Never: the body; the caller ends the frame with it.
public final class PullAnswer {
    private PullAnswer() {}

    /// Writes the frame up to its body: `out.end(…)` is the caller's.
    ///
    /// @param remark the name of the status, as the peers have it: `FOUND`
    /// @param suggestedBrokerId 0 is the leader
    public static void begin(
            FrameWriter out,
            Codec codec,
            int code,
            int correlationId,
            @Nullable String remark,
            long suggestedBrokerId,
            long nextBeginOffset,
            long minOffset,
            long maxOffset) {
        out.begin(codec, code, FrameFlags.ANSWER, correlationId);
        out.remark(remark);
        out.field(FieldNames.SUGGEST_WHICH_BROKER_ID, suggestedBrokerId);
        out.field(FieldNames.NEXT_BEGIN_OFFSET, nextBeginOffset);
        out.field(FieldNames.MIN_OFFSET, minOffset);
        out.field(FieldNames.MAX_OFFSET, maxOffset);
    }
}
