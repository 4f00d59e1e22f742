package gantry.wire.message;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Goes through the messages in the body of a batch send.
///
/// ```
///   0        4     8     12       16          20                             (each item, big-endian)
///   ┌────────┬─────┬─────┬────────┬───────────┬────── … ┬─────────────────┬────── … ┐
///   │ length │ 0   │ 0   │ flag   │ bodyLength│ body    │ propsLength (2) │ props   │
///   └────────┴─────┴─────┴────────┴───────────┴────── … ┴─────────────────┴────── … ┘
/// ```
/// For:   making one record of each item; the whole body is checked before the first is given out. And writing them.
/// Owner: one session; it stands for the last body that it wrapped.
/// Never: throws; allocates.
public final class BatchItems {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
    private static final int USER_FLAG = 12;
    private static final int BODY_LENGTH = 16;
    private static final int BODY = 20;

    private ByteBuffer bytes = NOTHING;
    private int end;
    private int nextItem;
    private int item;
    private @Nullable String fault;

    /// How many bytes an item takes.
    public static int size(int bodyBytes, int propertiesBytes) {
        return BODY + bodyBytes + Short.BYTES + propertiesBytes;
    }

    /// Writes an item; `into` is big-endian and has room for it.
    public static void write(ByteBuffer into, byte[] body, byte[] properties) {
        into.putInt(size(body.length, properties.length)).putInt(0).putInt(0).putInt(0);
        into.putInt(body.length).put(body).putShort((short) properties.length).put(properties);
    }

    /// @param bytes big-endian
    /// @return how many items there are, -1 when the body is malformed, and `fault` says how
    public int wrap(ByteBuffer bytes, int offset, int length) {
        this.bytes = bytes;
        this.fault = null;
        this.item = offset;
        this.nextItem = offset;
        this.end = offset;
        if (offset < 0 || length < 0 || length > bytes.limit() - offset) {
            return fail("a batch of " + length + " bytes is not there");
        }
        int bodyEnd = offset + length;
        int at = offset;
        int count = 0;
        while (at < bodyEnd) {
            int size = check(at, bodyEnd - at);
            if (size < 0) {
                return fail("item " + count + " of the batch, at byte " + (at - offset) + " of " + length
                        + ", does not add up");
            }
            at += size;
            count++;
        }
        if (count == 0) {
            return fail("the batch is empty");
        }
        end = bodyEnd;
        return count;
    }

    /// The size of the item at `at`, -1 when its lengths do not add up within `available` bytes.
    private int check(int at, int available) {
        if (available < MessageLayout.BATCH_ITEM_EMPTY_BYTES) {
            return -1;
        }
        int size = bytes.getInt(at);
        int bodyLength = bytes.getInt(at + BODY_LENGTH);
        if (size < MessageLayout.BATCH_ITEM_EMPTY_BYTES
                || size > available
                || bodyLength < 0
                || bodyLength > size - MessageLayout.BATCH_ITEM_EMPTY_BYTES) {
            return -1;
        }
        int propertiesLength = bytes.getShort(at + BODY + bodyLength);
        boolean addsUp =
                propertiesLength >= 0 && size == MessageLayout.BATCH_ITEM_EMPTY_BYTES + bodyLength + propertiesLength;
        return addsUp ? size : -1;
    }

    private int fail(String sentence) {
        fault = sentence;
        return -1;
    }

    public @Nullable String fault() {
        return fault;
    }

    /// Moves to the next item; false behind the last.
    public boolean next() {
        if (nextItem >= end) {
            return false;
        }
        item = nextItem;
        nextItem = item + bytes.getInt(item);
        return true;
    }

    public int userFlag() {
        return bytes.getInt(item + USER_FLAG);
    }

    /// Absolute, in the wrapped buffer.
    public int bodyOffset() {
        return item + BODY;
    }

    public int bodyLength() {
        return bytes.getInt(item + BODY_LENGTH);
    }

    public int propertiesOffset() {
        return item + BODY + bodyLength() + 2;
    }

    public int propertiesLength() {
        return bytes.getShort(item + BODY + bodyLength());
    }
}
