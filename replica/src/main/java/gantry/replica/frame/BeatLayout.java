package gantry.replica.frame;

import java.nio.ByteBuffer;

/// Where things stand in the leader's heartbeat, which goes out whether there is data or not.
///
/// ```
///   0       8     16        24             32
///   ┌───────┬─────┬─────────┬──────────────┐
///   │ reign │ end │ confirm │ leaderMillis │
///   └───────┴─────┴─────────┴──────────────┘
/// ```
/// For:   reading and writing beats in place.
/// Owner: none (stateless).
public final class BeatLayout {
    static final int REIGN = 0;
    static final int END = 8;
    static final int CONFIRM = 16;
    static final int LEADER_MILLIS = 24;
    public static final int BYTES = 32;

    private BeatLayout() {}

    public static void write(FrameWriter out, long reign, long end, long confirm, long leaderMillis) {
        out.body(BYTES).putLong(reign).putLong(end).putLong(confirm).putLong(leaderMillis);
    }

    public static long reign(ByteBuffer frame, int bodyAt) {
        return frame.getLong(bodyAt + REIGN);
    }

    public static long end(ByteBuffer frame, int bodyAt) {
        return frame.getLong(bodyAt + END);
    }

    public static long confirm(ByteBuffer frame, int bodyAt) {
        return frame.getLong(bodyAt + CONFIRM);
    }

    public static long leaderMillis(ByteBuffer frame, int bodyAt) {
        return frame.getLong(bodyAt + LEADER_MILLIS);
    }
}
