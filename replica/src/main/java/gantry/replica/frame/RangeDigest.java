package gantry.replica.frame;

import java.nio.ByteBuffer;

/// SHA-256 of a part of the log, or of a part of the folded state.
///
/// For:   saying that two members have the same without sending it.
/// Owner: none (immutable).
public record RangeDigest(long first, long second, long third, long fourth) {
    public static final int BYTES = 32;

    /// Of what nobody has looked at.
    public static final RangeDigest NONE = new RangeDigest(0, 0, 0, 0);

    public static RangeDigest of(byte[] sha256) {
        return read(ByteBuffer.wrap(sha256), 0);
    }

    public byte[] bytes() {
        ByteBuffer bytes = ByteBuffer.allocate(BYTES);
        write(bytes);
        return bytes.array();
    }

    static RangeDigest read(ByteBuffer from, int at) {
        return new RangeDigest(
                from.getLong(at),
                from.getLong(at + Long.BYTES),
                from.getLong(at + 2 * Long.BYTES),
                from.getLong(at + 3 * Long.BYTES));
    }

    void write(ByteBuffer to) {
        to.putLong(first).putLong(second).putLong(third).putLong(fourth);
    }
}
