package gantry.store;

import gantry.wire.message.MessageFlags;
import gantry.wire.message.MessageLayout;
import java.nio.ByteBuffer;

/// A first look at a record in the log.
///
/// For:   checking a claim about a record, or reading its time, without decoding it.
/// Owner: none (stateless).
/// Never: a whole check; see `RecordView`.
final class StoredRecord {
    private StoredRecord() {}

    /// Whether a record of `size` bytes that knows its own `logOffset` starts at `at`, as far as its head tells.
    static boolean isAt(ByteBuffer bytes, int at, int size, long logOffset) {
        if (size < MessageLayout.EMPTY_BYTES || at < 0 || at > bytes.capacity() - size) {
            return false;
        }
        int magic = bytes.getInt(at + MessageLayout.MAGIC);
        return bytes.getInt(at + MessageLayout.SIZE) == size
                && (magic == MessageLayout.MAGIC_V1 || magic == MessageLayout.MAGIC_V2)
                && bytes.getLong(at + MessageLayout.LOG_OFFSET) == logOffset;
    }

    static long storeMillis(ByteBuffer bytes, int at) {
        int flags = bytes.getInt(at + MessageLayout.FLAGS);
        int extra = MessageFlags.isBornV6(flags) ? MessageLayout.EXTRA_V6 : 0;
        return bytes.getLong(at + MessageLayout.STORE_MILLIS + extra);
    }

    static long queueOffset(ByteBuffer bytes, int at) {
        return bytes.getLong(at + MessageLayout.QUEUE_OFFSET);
    }
}
