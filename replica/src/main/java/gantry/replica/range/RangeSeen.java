package gantry.replica.range;

import gantry.replica.frame.RangeDigest;
import java.nio.ByteBuffer;

/// What a look at a range of the own log has shown.
///
/// For:   comparing it, or giving it.
/// Owner: none (immutable; nobody changes the bytes).
///
/// @param to where it ends; of a rotten one where messages go on
/// @param digest of its bytes, `NONE` when nobody could read them
/// @param bytes empty unless it is sound and they were asked for
/// @param why what is wrong, for a sentence; empty when nothing is
public record RangeSeen(Found found, long from, long to, RangeDigest digest, ByteBuffer bytes, String why) {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0).asReadOnlyBuffer();

    public static RangeSeen sound(long from, long to, RangeDigest digest) {
        return new RangeSeen(Found.SOUND, from, to, digest, NOTHING, "");
    }

    public static RangeSeen sound(long from, long to, RangeDigest digest, ByteBuffer bytes) {
        return new RangeSeen(Found.SOUND, from, to, digest, bytes, "");
    }

    public static RangeSeen rotten(long from, long to, RangeDigest digest, String why) {
        return new RangeSeen(Found.ROTTEN, from, to, digest, NOTHING, why);
    }

    public static RangeSeen gone(long from) {
        return new RangeSeen(Found.GONE, from, from, RangeDigest.NONE, NOTHING, "the log has nothing of it");
    }

    public static RangeSeen notNow(long from, String why) {
        return new RangeSeen(Found.NOT_NOW, from, from, RangeDigest.NONE, NOTHING, why);
    }
}
