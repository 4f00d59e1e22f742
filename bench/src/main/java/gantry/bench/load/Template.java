package gantry.bench.load;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/// A send request that is encoded once; before each send only its changing digits are patched.
///
/// For:   asking a hundred thousand times a second with realistic frames: every one has its own correlation id, born
///        time and unique keys, as a real client's have.
/// Owner: the thread of the load loop.
/// Never: answers.
final class Template {
    /// Ten digits, so that every later id fits in its place in a JSON header.
    static final int FIRST_ID = 1_000_000_000;

    static final String BORN_MARK = "1700000000123";
    /// An IPv4 unique key: address, process, loader, time, and the eight digits that count.
    static final String KEY_MARK = "7F0000011A2B251A69D70CAE00000000";

    private static final int COUNTING_DIGITS = 8;
    private static final int ID_DIGITS = 10;
    private static final byte[] HEX = "0123456789ABCDEF".getBytes(StandardCharsets.US_ASCII);

    private final byte[] frame;
    private final int messages;
    private final boolean decimalId;
    private final int idAt;
    private final int bornAt;
    private final int queueAt;
    private final int[] keysAt;
    private long bornMillis;

    /// @param fields of a send to a queue; they hold `BORN_MARK` once, and with `body` `KEY_MARK` wherever a unique key
    ///     is to stand
    Template(Codec codec, int code, IntFunction<Map<String, String>> fields, byte[] body, int messages) {
        this.frame = Frames.encode(codec, code, 0, FIRST_ID, fields.apply(0), body);
        this.messages = messages;
        this.decimalId = codec == Codec.JSON;
        this.idAt = decimalId ? places("\"opaque\":" + FIRST_ID)[0] + "\"opaque\":".length() : Frames.BINARY_ID_AT;
        this.bornAt = places(BORN_MARK)[0];
        this.keysAt = places(KEY_MARK);
        this.queueAt = Arrays.mismatch(frame, Frames.encode(codec, code, 0, FIRST_ID, fields.apply(1), body));
    }

    int size() {
        return frame.length;
    }

    int messages() {
        return messages;
    }

    /// How many unique keys stand in it.
    int keys() {
        return keysAt.length;
    }

    /// @param key numbers the frame's first unique key; the others count on
    /// @param queue 0 to 9
    void write(ByteBuffer out, int correlationId, long nowMillis, long key, int queue) {
        frame[queueAt] = (byte) ('0' + queue);
        if (decimalId) {
            decimal(correlationId, idAt, ID_DIGITS);
        } else {
            frame[idAt] = (byte) (correlationId >> 24);
            frame[idAt + 1] = (byte) (correlationId >> 16);
            frame[idAt + 2] = (byte) (correlationId >> 8);
            frame[idAt + 3] = (byte) correlationId;
        }
        if (nowMillis != bornMillis) {
            decimal(nowMillis, bornAt, BORN_MARK.length());
            bornMillis = nowMillis;
        }
        long next = key;
        for (int at : keysAt) {
            hexadecimal(next++, at + KEY_MARK.length() - COUNTING_DIGITS);
        }
        out.put(frame);
    }

    private void decimal(long value, int at, int digits) {
        long rest = value;
        for (int i = at + digits - 1; i >= at; i--) {
            frame[i] = (byte) ('0' + rest % 10);
            rest /= 10;
        }
    }

    private void hexadecimal(long value, int at) {
        long rest = value;
        for (int i = at + COUNTING_DIGITS - 1; i >= at; i--) {
            frame[i] = HEX[(int) (rest & 15)];
            rest >>>= 4;
        }
    }

    private int[] places(String mark) {
        byte[] bytes = mark.getBytes(StandardCharsets.US_ASCII);
        List<Integer> found = new ArrayList<>();
        for (int at = 0; at + bytes.length <= frame.length; at++) {
            if (Arrays.equals(frame, at, at + bytes.length, bytes, 0, bytes.length)) {
                found.add(at);
            }
        }
        if (found.isEmpty()) {
            throw new IllegalArgumentException("the frame does not hold " + mark);
        }
        return found.stream().mapToInt(Integer::intValue).toArray();
    }
}
