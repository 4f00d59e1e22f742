package gantry.wire.header;

import gantry.wire.frame.Codec;
import gantry.wire.frame.FrameWriter;
import gantry.wire.message.RecordHost;
import org.jspecify.annotations.Nullable;

/// Writes the answer to a send whose message is stored.
///
/// ```
///   add (once per stored message) ─▶ transactionId? ─▶ write ─▶ empty again
/// ```
/// For:   requests 10, 310, 320, 324 and 325, when the code is one of those that mean "stored".
/// Owner: one session or sequencer.
/// Never: refusals; those have a code and a remark only.
public final class SendAnswer {
    /// @param storeHost the address by which this broker's messages are named
    public SendAnswer(RecordHost storeHost, String region, boolean traceOn) {}

    public SendAnswer add(long logOffset) {
        return this;
    }

    /// The message's own name.
    public SendAnswer transactionId(byte[] utf8, int from, int length) {
        return this;
    }

    /// Writes the whole frame.
    ///
    /// @param queueOffset of the first message
    public void write(
            FrameWriter out,
            Codec codec,
            int code,
            int correlationId,
            @Nullable String remark,
            int queueId,
            long queueOffset) {}
}
