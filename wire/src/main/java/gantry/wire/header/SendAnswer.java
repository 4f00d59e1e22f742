package gantry.wire.header;

import gantry.wire.frame.Codec;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.FrameFlags;
import gantry.wire.frame.FrameWriter;
import gantry.wire.message.OffsetMessageId;
import gantry.wire.message.RecordHost;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
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
    private static final byte[] NOTHING = new byte[0];
    private static final int KEPT_BYTES = 64 * 1024;

    /// The id of the message at log offset 0.
    private final byte[] firstId = new byte[OffsetMessageId.MAX_CHARS];

    private final int idLength;
    private final byte[] region;
    private final boolean traceOn;
    private byte[] ids = new byte[OffsetMessageId.MAX_CHARS + 1];
    private int idsLength;
    private byte[] transactionId = NOTHING;
    private int transactionIdFrom;
    private int transactionIdLength;

    /// @param storeHost the address by which this broker's messages are named
    public SendAnswer(RecordHost storeHost, String region, boolean traceOn) {
        this.idLength = OffsetMessageId.write(storeHost, 0, firstId, 0);
        this.region = region.getBytes(StandardCharsets.UTF_8);
        this.traceOn = traceOn;
    }

    public SendAnswer add(long logOffset) {
        if (ids.length - idsLength < OffsetMessageId.MAX_CHARS + 1) {
            ids = Arrays.copyOf(ids, ids.length * 2);
        }
        if (idsLength > 0) {
            ids[idsLength++] = ',';
        }
        System.arraycopy(firstId, 0, ids, idsLength, idLength);
        idsLength += idLength;
        OffsetMessageId.writeLogOffset(logOffset, ids, idsLength);
        return this;
    }

    /// The message's own name.
    public SendAnswer transactionId(byte[] utf8, int from, int length) {
        transactionId = utf8;
        transactionIdFrom = from;
        transactionIdLength = length;
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
            long queueOffset) {
        out.begin(codec, code, FrameFlags.ANSWER, correlationId);
        out.remark(remark);
        out.fieldAscii(FieldNames.MSG_ID, ids, 0, idsLength);
        out.field(FieldNames.QUEUE_ID, queueId);
        out.field(FieldNames.QUEUE_OFFSET, queueOffset);
        if (transactionIdLength > 0) {
            out.fieldUtf8(FieldNames.TRANSACTION_ID, transactionId, transactionIdFrom, transactionIdLength);
        }
        out.fieldUtf8(FieldNames.MSG_REGION, region, 0, region.length);
        out.field(FieldNames.TRACE_ON, traceOn);
        out.end(0);
        clear();
    }

    private void clear() {
        idsLength = 0;
        transactionId = NOTHING;
        transactionIdFrom = 0;
        transactionIdLength = 0;
        if (ids.length > KEPT_BYTES) {
            ids = new byte[OffsetMessageId.MAX_CHARS + 1];
        }
    }
}
