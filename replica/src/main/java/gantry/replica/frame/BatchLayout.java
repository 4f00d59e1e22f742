package gantry.replica.frame;

import java.nio.ByteBuffer;

/// Where things stand in a batch: whole records of the leader's log, all of one epoch.
///
/// ```
///   0       8        16        24             32
///   ┌───────┬────────┬─────────┬──────────────┬──────────────────────────┐
///   │ reign │ offset │ confirm │ leaderMillis │ whole records, 1 at least│
///   └───────┴────────┴─────────┴──────────────┴──────────────────────────┘
/// ```
/// For:   reading and writing batches in place.
/// Owner: none (stateless).
public final class BatchLayout {
    static final int REIGN = 0;
    static final int OFFSET = 8;
    static final int CONFIRM = 16;
    static final int LEADER_MILLIS = 24;
    public static final int PAYLOAD = 32;

    private BatchLayout() {}

    public static void write(FrameWriter out, long reign, long offset, long confirm, long leaderMillis) {
        out.body(PAYLOAD).putLong(reign).putLong(offset).putLong(confirm).putLong(leaderMillis);
    }

    public static long reign(ByteBuffer frame, int bodyAt) {
        return frame.getLong(bodyAt + REIGN);
    }

    public static long offset(ByteBuffer frame, int bodyAt) {
        return frame.getLong(bodyAt + OFFSET);
    }

    public static long confirm(ByteBuffer frame, int bodyAt) {
        return frame.getLong(bodyAt + CONFIRM);
    }

    public static long leaderMillis(ByteBuffer frame, int bodyAt) {
        return frame.getLong(bodyAt + LEADER_MILLIS);
    }
}
