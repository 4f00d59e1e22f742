package gantry.replica.frame;

import java.nio.ByteBuffer;

/// Where things stand in the frames that compare parts of the log and give them again.
///
/// ```
///   COMPARE             COMPARED                             RANGE_REQUEST        RANGE
///   0      8            0      8    16      17               0      8             0      8       9        41
///   ┌──────┬────┐       ┌──────┬────┬───────┬───────────┐    ┌──────┬──────┐      ┌──────┬───────┬────────┬─────────┐
///   │ from │ to │ 16    │ from │ to │ found │ digest 32 │ 49 │ from │ most │ 12   │ from │ found │ digest │ records │
///   └──────┴────┘       └──────┴────┴───────┴───────────┘    └──────┴──────┘      └──────┴───────┴────────┴─────────┘
/// ```
/// `found` is 0 sound, 1 rotten, 2 gone, 3 not now. A RANGE has records only when `found` is 0: whole ones, at most
/// `most` bytes or the first alone, all confirmed.
///
/// For:   reading and writing them in place. Since version 2.
/// Owner: none (stateless).
public final class RangeLayout {
    public static final int COMPARE_BYTES = 16;
    public static final int COMPARED_BYTES = 49;
    public static final int REQUEST_BYTES = 12;
    public static final int RANGE_PAYLOAD = 41;

    static final int FROM = 0;
    static final int TO = 8;
    static final int COMPARED_FOUND = 16;
    static final int COMPARED_DIGEST = 17;
    static final int MOST = 8;
    static final int RANGE_FOUND = 8;
    static final int RANGE_DIGEST = 9;

    private RangeLayout() {}

    public static void writeCompare(FrameWriter out, long from, long to) {
        out.body(COMPARE_BYTES).putLong(from).putLong(to);
    }

    public static void writeCompared(FrameWriter out, long from, long to, int found, RangeDigest digest) {
        digest.write(out.body(COMPARED_BYTES).putLong(from).putLong(to).put((byte) found));
    }

    public static void writeRequest(FrameWriter out, long from, int mostBytes) {
        out.body(REQUEST_BYTES).putLong(from).putInt(mostBytes);
    }

    /// The records follow as the payload.
    public static void writeRange(FrameWriter out, long from, int found, RangeDigest digest) {
        digest.write(out.body(RANGE_PAYLOAD).putLong(from).put((byte) found));
    }

    /// Of each of the four.
    public static long from(ByteBuffer frame, int bodyAt) {
        return frame.getLong(bodyAt + FROM);
    }

    /// Of COMPARE and COMPARED.
    public static long to(ByteBuffer frame, int bodyAt) {
        return frame.getLong(bodyAt + TO);
    }

    public static int comparedFound(ByteBuffer frame, int bodyAt) {
        return frame.get(bodyAt + COMPARED_FOUND);
    }

    public static RangeDigest comparedDigest(ByteBuffer frame, int bodyAt) {
        return RangeDigest.read(frame, bodyAt + COMPARED_DIGEST);
    }

    public static int mostBytes(ByteBuffer frame, int bodyAt) {
        return frame.getInt(bodyAt + MOST);
    }

    public static int rangeFound(ByteBuffer frame, int bodyAt) {
        return frame.get(bodyAt + RANGE_FOUND);
    }

    public static RangeDigest rangeDigest(ByteBuffer frame, int bodyAt) {
        return RangeDigest.read(frame, bodyAt + RANGE_DIGEST);
    }
}
