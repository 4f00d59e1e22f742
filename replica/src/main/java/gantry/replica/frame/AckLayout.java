package gantry.replica.frame;

import java.nio.ByteBuffer;

/// Where things stand in an acknowledgement, which is the follower's heartbeat too.
///
/// ```
///   0       8         16       24       28
///   ┌───────┬─────────┬────────┬────────┐
///   │ reign │ written │ synced │ credit │
///   └───────┴─────────┴────────┴────────┘
/// ```
/// For:   reading and writing acknowledgements in place.
/// Owner: none (stateless).
public final class AckLayout {
    static final int REIGN = 0;
    static final int WRITTEN = 8;
    static final int SYNCED = 16;
    static final int CREDIT = 24;
    public static final int BYTES = 28;

    private AckLayout() {}

    public static void write(FrameWriter out, long reign, long written, long synced, int creditBytes) {
        out.body(BYTES).putLong(reign).putLong(written).putLong(synced).putInt(creditBytes);
    }

    public static long reign(ByteBuffer frame, int bodyAt) {
        return frame.getLong(bodyAt + REIGN);
    }

    public static long written(ByteBuffer frame, int bodyAt) {
        return frame.getLong(bodyAt + WRITTEN);
    }

    public static long synced(ByteBuffer frame, int bodyAt) {
        return frame.getLong(bodyAt + SYNCED);
    }

    public static int creditBytes(ByteBuffer frame, int bodyAt) {
        return frame.getInt(bodyAt + CREDIT);
    }
}
