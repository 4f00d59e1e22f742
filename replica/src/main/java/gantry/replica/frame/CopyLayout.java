package gantry.replica.frame;

import java.nio.ByteBuffer;

/// Where things stand in the frames that carry a copy, and in their acknowledgement.
///
/// ```
///   COPY_PART                          COPY_LOG                     COPY_ACK
///   0      2        10                 0        8                   0       8
///   ┌──────┬────────┬────────────┐     ┌────────┬───────────────┐   ┌───────┬────────┐
///   │ part │ offset │ its bytes  │     │ offset │ whole records │   │ taken │ credit │ 12
///   └──────┴────────┴────────────┘     └────────┴───────────────┘   └───────┴────────┘
/// ```
/// `taken` counts the bytes of the copy that this link carried and that are written. A credit of 0: not yet.
///
/// For:   reading and writing them in place.
/// Owner: none (stateless).
public final class CopyLayout {
    public static final int PART_PAYLOAD = 10;
    public static final int LOG_PAYLOAD = 8;
    public static final int ACK_BYTES = 12;
    static final int PART = 0;
    static final int PART_OFFSET = 2;
    static final int LOG_OFFSET = 0;
    static final int TAKEN = 0;
    static final int CREDIT = 8;

    private CopyLayout() {}

    public static void writePart(FrameWriter out, int part, long offset) {
        out.body(PART_PAYLOAD).putShort((short) part).putLong(offset);
    }

    public static int part(ByteBuffer frame, int bodyAt) {
        return frame.getShort(bodyAt + PART) & 0xFFFF;
    }

    public static long partOffset(ByteBuffer frame, int bodyAt) {
        return frame.getLong(bodyAt + PART_OFFSET);
    }

    public static void writeLog(FrameWriter out, long offset) {
        out.body(LOG_PAYLOAD).putLong(offset);
    }

    public static long logOffset(ByteBuffer frame, int bodyAt) {
        return frame.getLong(bodyAt + LOG_OFFSET);
    }

    public static void writeAck(FrameWriter out, long taken, int creditBytes) {
        out.body(ACK_BYTES).putLong(taken).putInt(creditBytes);
    }

    public static long taken(ByteBuffer frame, int bodyAt) {
        return frame.getLong(bodyAt + TAKEN);
    }

    public static int creditBytes(ByteBuffer frame, int bodyAt) {
        return frame.getInt(bodyAt + CREDIT);
    }
}
