package gantry.broker.legacy;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// What a RocketMQ master sends on its replication port, put together to whole records.
///
/// ```
///   0             8      12                      12 + size
///   │ log offset  │ size │ bytes of the log …    │ next header …        size 0: nothing new
///
///   bytes of the log:   │ ours: compared │ whole │ whole │ begun … │
///                  first ▲               ▲ ours end               ▲ next
/// ```
/// For:   taking what comes in pieces of any size, from somebody who may say anything.
/// Owner: whoever owns the link; one for each.
/// Never: more than one record and one piece in memory; believes a size or an offset.
/// Holds: STREAM-1 each byte of the log is taken once, in order; STREAM-2 nothing is handed on before all that was
///        to be compared has been.
final class MasterStream {
    private static final int HEADER_BYTES = 12;
    private static final int SIZE_AT = 8;

    /// RocketMQ's masters send 32 KiB at once unless they are told otherwise.
    static final int MOST_BODY_BYTES = 8 << 20;

    /// One byte less than what a store takes at once.
    static final int MOST_RECORD_BYTES = (8 << 20) - 1;

    private static final int LEAST_RECORD_BYTES = 8;

    private final byte[] ours;
    private final long oursEnd;
    private final long oursFrom;
    private final ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES);
    private long next;
    private int bodyLeft;
    private byte[] begun = new byte[64 * 1024];
    private int begunBytes;
    private int wholeBytes;
    private boolean heardHeader;

    /// @param first what was asked for
    /// @param ours our own bytes from there on, up to where our log ends
    MasterStream(long first, byte[] ours) {
        this.next = first;
        this.oursFrom = first;
        this.ours = ours;
        this.oursEnd = first + ours.length;
    }

    /// The master leaves out the very first byte of its log, which is 0 since no record is so large.
    static MasterStream withoutFirstByte() {
        MasterStream stream = new MasterStream(1, new byte[0]);
        stream.begunBytes = 1;
        return stream;
    }

    /// @return what is wrong; then nothing more is to be taken
    @Nullable
    LegacyFault feed(ByteBuffer bytes, int at, int length) {
        int from = at;
        int to = at + length;
        while (from < to) {
            if (bodyLeft == 0) {
                int take = Math.min(header.remaining(), to - from);
                header.put(header.position(), bytes, from, take).position(header.position() + take);
                from += take;
                LegacyFault fault = header.hasRemaining() ? null : begin();
                if (fault != null) {
                    return fault;
                }
            } else {
                int take = Math.min(bodyLeft, to - from);
                LegacyFault fault = take(bytes, from, take);
                if (fault != null) {
                    return fault;
                }
                from += take;
                bodyLeft -= take;
            }
        }
        return measure();
    }

    private @Nullable LegacyFault begin() {
        long offset = header.getLong(0);
        int size = header.getInt(SIZE_AT);
        header.clear();
        heardHeader = true;
        if (offset != next) {
            return new LegacyFault(
                    LegacyCause.NOT_ITS_PLACE, "bytes for log offset " + offset + ", where " + next + " is next");
        }
        if (size < 0 || size > MOST_BODY_BYTES) {
            return new LegacyFault(
                    LegacyCause.BODY_SIZE,
                    size + " bytes at log offset " + offset + ", where " + MOST_BODY_BYTES + " are allowed");
        }
        bodyLeft = size;
        return null;
    }

    private @Nullable LegacyFault take(ByteBuffer bytes, int from, int count) {
        int compared = Math.clamp(oursEnd - next, 0, count);
        for (int i = 0; i < compared; i++) {
            if (bytes.get(from + i) != ours[(int) (next - oursFrom) + i]) {
                return new LegacyFault(
                        LegacyCause.OTHER_LOG,
                        "the two differ at log offset " + (next + i) + ", ours ends at " + oursEnd);
            }
        }
        keep(bytes, from + compared, count - compared);
        next += count;
        return null;
    }

    private void keep(ByteBuffer bytes, int from, int count) {
        if (begun.length - begunBytes < count) {
            begun = Arrays.copyOf(begun, Math.max(begun.length * 2, begunBytes + count));
        }
        bytes.get(from, begun, begunBytes, count);
        begunBytes += count;
    }

    /// How much of what has come is whole.
    private @Nullable LegacyFault measure() {
        ByteBuffer view = ByteBuffer.wrap(begun);
        while (begunBytes - wholeBytes >= LEAST_RECORD_BYTES) {
            int size = view.getInt(wholeBytes);
            if (size < LEAST_RECORD_BYTES || size > MOST_RECORD_BYTES) {
                return new LegacyFault(
                        LegacyCause.RECORD_SIZE,
                        "a record of " + size + " bytes at log offset " + (wholeFrom() + wholeBytes));
            }
            if (size > begunBytes - wholeBytes) {
                return null;
            }
            wholeBytes += size;
        }
        return null;
    }

    /// Where the first byte of `whole` belongs.
    long wholeFrom() {
        return next - begunBytes;
    }

    /// Whole records, one behind the other; lent until `taken`.
    ByteBuffer whole() {
        return ByteBuffer.wrap(begun, 0, wholeBytes).slice();
    }

    /// So many of the whole bytes have been taken care of.
    void taken(int bytes) {
        System.arraycopy(begun, bytes, begun, 0, begunBytes - bytes);
        begunBytes -= bytes;
        wholeBytes -= bytes;
    }

    /// Whether everything that was to be compared was found to be the same, and the master is one that answers.
    boolean isProven() {
        return heardHeader && next >= oursEnd;
    }

    /// Behind the last byte that has come: the master has at least so much.
    long next() {
        return next;
    }
}
