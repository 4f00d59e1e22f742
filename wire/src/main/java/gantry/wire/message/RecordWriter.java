package gantry.wire.message;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/// Encodes one stored message.
///
/// For:   turning a draft into the bytes that the log, the replicas and the consumers get; `MessageLayout` says where.
/// Owner: none (stateless; the draft and the buffer belong to the caller).
/// Never: queueOffset, logOffset and storeMillis, which the log puts in with `number`.
public final class RecordWriter {
    public static final int NO_ROOM = -1;

    /// Also when there is none.
    public static final int TOPIC_TOO_LONG = -2;

    public static final int PROPERTIES_TOO_LONG = -3;

    /// What a record's properties have beside the sender's and those that are added: a separator before each,
    /// and a CRC.
    public static final int PROPERTIES_EXTRA_BYTES = 2 + RecordCrc.PROPERTY_BYTES;

    private RecordWriter() {}

    /// The size the draft will have; not limited to what fits a record.
    public static long sizeOf(RecordDraft draft) {
        return MessageLayout.sizeOf(
                draft.bornHost.isV6(),
                draft.storeHost.isV6(),
                draft.bodyLength,
                draft.topicLength,
                propertiesLength(draft));
    }

    /// Writes at the buffer's position, which moves behind the record.
    ///
    /// @param into big-endian
    /// @return the record's size, or one of the negative constants above, and then nothing was written
    public static int write(ByteBuffer into, RecordDraft draft) {
        int topicLength = draft.topicLength;
        if (topicLength < 1 || topicLength > MessageLayout.TOPIC_MAX_BYTES) {
            return TOPIC_TOO_LONG;
        }
        int propertiesLength = propertiesLength(draft);
        if (propertiesLength > MessageLayout.PROPERTIES_MAX_BYTES) {
            return PROPERTIES_TOO_LONG;
        }
        int start = into.position();
        long size = sizeOf(draft);
        if (size > into.limit() - start) {
            return NO_ROOM;
        }
        boolean isV1 = topicLength <= MessageLayout.TOPIC_MAX_BYTES_V1;
        into.putInt(start, (int) size);
        into.putInt(start + MessageLayout.MAGIC, isV1 ? MessageLayout.MAGIC_V1 : MessageLayout.MAGIC_V2);
        int bodyAt = writeFixed(into, start, draft);
        int at = writeBody(into, start, bodyAt, draft);
        at = writeTopic(into, at, draft, isV1);
        into.putShort(at, (short) propertiesLength);
        writeProperties(into, at + 2, draft);
        into.position(start + (int) size);
        return (int) size;
    }

    /// Writes from the queue's id to the offset of the half message; returns where the body's length goes.
    private static int writeFixed(ByteBuffer into, int start, RecordDraft draft) {
        RecordHost born = draft.bornHost;
        RecordHost store = draft.storeHost;
        int hostFlags = (born.isV6() ? MessageFlags.BORN_HOST_V6 : 0) | (store.isV6() ? MessageFlags.STORE_HOST_V6 : 0);
        int ownFlags = draft.flags & ~(MessageFlags.BORN_HOST_V6 | MessageFlags.STORE_HOST_V6);
        into.putInt(start + MessageLayout.QUEUE_ID, draft.queueId);
        into.putInt(start + MessageLayout.USER_FLAG, draft.userFlag);
        into.putLong(start + MessageLayout.QUEUE_OFFSET, 0);
        into.putLong(start + MessageLayout.LOG_OFFSET, 0);
        into.putInt(start + MessageLayout.FLAGS, ownFlags | hostFlags);
        into.putLong(start + MessageLayout.BORN_MILLIS, draft.bornMillis);
        int at = born.write(into, start + MessageLayout.BORN_HOST);
        into.putLong(at, 0);
        at = store.write(into, at + 8);
        into.putInt(at, draft.redeliveries);
        into.putLong(at + 4, draft.preparedLogOffset);
        return at + 12;
    }

    private static int writeBody(ByteBuffer into, int start, int at, RecordDraft draft) {
        int length = draft.bodyLength;
        int bodyAt = at + 4;
        into.putInt(at, length);
        into.put(bodyAt, draft.body, draft.bodyOffset, length);
        into.putInt(start + MessageLayout.BODY_CRC, crcOf(draft.crc, into, bodyAt, length));
        return bodyAt + length;
    }

    /// Computes over the bytes that were written, so that the CRC vouches for what is stored.
    private static int crcOf(CRC32 crc, ByteBuffer into, int from, int length) {
        if (length == 0) {
            return 0;
        }
        int limit = into.limit();
        crc.reset();
        into.limit(from + length).position(from);
        crc.update(into);
        into.limit(limit);
        return (int) crc.getValue() & MessageLayout.CRC_MASK;
    }

    private static int writeTopic(ByteBuffer into, int at, RecordDraft draft, boolean isV1) {
        int topicAt;
        if (isV1) {
            into.put(at, (byte) draft.topicLength);
            topicAt = at + 1;
        } else {
            into.putShort(at, (short) draft.topicLength);
            topicAt = at + 2;
        }
        into.put(topicAt, draft.topic, draft.topicFrom, draft.topicLength);
        return topicAt + draft.topicLength;
    }

    private static void writeProperties(ByteBuffer into, int at, RecordDraft draft) {
        into.put(at, draft.properties, draft.propertiesFrom, draft.propertiesLength);
        int addedAt = at + draft.propertiesLength;
        if (needsSeparator(draft)) {
            into.put(addedAt++, MessageProperties.VALUE_END);
        }
        into.put(addedAt, draft.added, draft.addedFrom, draft.addedLength);
        if (draft.endsInCrc) {
            int crcAt = addedAt + draft.addedLength;
            if (needsLastSeparator(draft)) {
                into.put(crcAt++, MessageProperties.VALUE_END);
            }
            RecordCrc.reserve(into, crcAt);
        }
    }

    private static int propertiesLength(RecordDraft draft) {
        int length = draft.propertiesLength + (needsSeparator(draft) ? 1 : 0) + draft.addedLength;
        return draft.endsInCrc ? length + (needsLastSeparator(draft) ? 1 : 0) + RecordCrc.PROPERTY_BYTES : length;
    }

    private static boolean needsSeparator(RecordDraft draft) {
        int length = draft.propertiesLength;
        return length > 0
                && draft.addedLength > 0
                && draft.properties[draft.propertiesFrom + length - 1] != MessageProperties.VALUE_END;
    }

    /// Whether something must stand between the last property and the CRC.
    private static boolean needsLastSeparator(RecordDraft draft) {
        return draft.addedLength > 0
                ? draft.added[draft.addedFrom + draft.addedLength - 1] != MessageProperties.VALUE_END
                : draft.propertiesLength > 0
                        && draft.properties[draft.propertiesFrom + draft.propertiesLength - 1]
                                != MessageProperties.VALUE_END;
    }

    /// Puts the CRC over the whole record into the room that it has for one, once it is numbered.
    ///
    /// @param crc is used for it
    public static void sum(ByteBuffer at, int start, CRC32 crc) {
        RecordCrc.fill(at, start, at.getInt(start), crc);
    }

    /// Puts the log's numbers into the record that starts at `start`.
    public static void number(ByteBuffer at, int start, long queueOffset, long logOffset, long storeMillis) {
        boolean bornV6 = MessageFlags.isBornV6(at.getInt(start + MessageLayout.FLAGS));
        at.putLong(start + MessageLayout.QUEUE_OFFSET, queueOffset);
        at.putLong(start + MessageLayout.LOG_OFFSET, logOffset);
        at.putLong(start + MessageLayout.STORE_MILLIS + (bornV6 ? MessageLayout.EXTRA_V6 : 0), storeMillis);
    }
}
