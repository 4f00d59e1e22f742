package gantry.replica.rig;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;

/// A log in memory whose records are `size 4 | crc 4 | bytes`.
///
/// For:   tests of both sides; `end` is what is there, what is written or on disk is up to the test.
/// Owner: its node.
public final class MemoryLog {
    private static final int HEAD = 8;
    private byte[] bytes = new byte[1024];
    private int end;
    private int begin;

    /// An empty log whose first offset is `begin`.
    public static MemoryLog from(long begin) {
        MemoryLog log = new MemoryLog();
        log.add(new byte[(int) begin]);
        log.begin = (int) begin;
        return log;
    }

    public static byte[] record(byte[] body) {
        CRC32C crc = new CRC32C();
        crc.update(body);
        ByteBuffer record = ByteBuffer.allocate(HEAD + body.length);
        return record.putInt(HEAD + body.length)
                .putInt((int) crc.getValue())
                .put(body)
                .array();
    }

    public void add(byte[] more) {
        while (bytes.length - end < more.length) {
            bytes = Arrays.copyOf(bytes, bytes.length * 2);
        }
        System.arraycopy(more, 0, bytes, end, more.length);
        end += more.length;
    }

    public int end() {
        return end;
    }

    public int begin() {
        return begin;
    }

    public void dropBelow(int offset) {
        begin = offset;
    }

    public void cut(int at) {
        end = at;
    }

    /// Spoils one byte.
    public void flip(int at) {
        bytes[at] ^= 1;
    }

    /// Writes over what is there.
    public void put(int at, ByteBuffer with) {
        with.duplicate().get(bytes, at, with.remaining());
    }

    public ByteBuffer read(long from, long to, int maxBytes) {
        int at = (int) from;
        while (at < to) {
            int size = ByteBuffer.wrap(bytes).getInt(at);
            if (at > from && at + size - from > maxBytes) {
                break;
            }
            at += size;
        }
        return ByteBuffer.wrap(bytes, (int) from, at - (int) from);
    }

    /// Where the first record ends that starts at `from`.
    public int recordEnd(int from) {
        return from + ByteBuffer.wrap(bytes).getInt(from);
    }

    /// How many of `length` bytes at `at` are whole and sound records from the front.
    public static int sound(ByteBuffer records, int at, int length) {
        int done = 0;
        while (length - done >= HEAD) {
            int size = records.getInt(at + done);
            if (size < HEAD || size > length - done) {
                break;
            }
            byte[] body = new byte[size - HEAD];
            records.get(at + done + HEAD, body);
            CRC32C crc = new CRC32C();
            crc.update(body);
            if (records.getInt(at + done + 4) != (int) crc.getValue()) {
                break;
            }
            done += size;
        }
        return done;
    }

    /// Whether both hold the same bytes, from where the younger of them begins.
    public boolean sameAs(MemoryLog other, int upTo) {
        int first = Math.min(upTo, Math.max(begin, other.begin));
        return end >= upTo && other.end >= upTo && Arrays.equals(bytes, first, upTo, other.bytes, first, upTo);
    }

    /// The last end of a record at or below `offset`.
    public int boundary(long offset) {
        int at = begin;
        while (at < offset && recordEnd(at) <= offset) {
            at = recordEnd(at);
        }
        return at;
    }

    public MemoryLog duplicate() {
        MemoryLog log = new MemoryLog();
        log.bytes = bytes.clone();
        log.end = end;
        log.begin = begin;
        return log;
    }

    public byte[] copy() {
        return Arrays.copyOf(bytes, end);
    }
}
