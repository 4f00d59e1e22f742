package gantry.wire.message;

import gantry.base.Network;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/// Reads one stored message in place.
///
/// For:   looking at records of the log, of a replica's batch, or of a pull answer.
/// Owner: whoever made it; it stands for the last record that it wrapped, as long as the bytes live.
/// Never: reads past the limit, whatever the lengths in the record claim; moves the buffer's position.
public final class RecordView {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final CRC32 crc = new CRC32();
    private final MessageProperties properties = new MessageProperties();
    private ByteBuffer bytes = NOTHING;
    /// The same bytes with a position of its own, for the CRC.
    private ByteBuffer window = NOTHING;

    private int start;
    private int size;
    private int version;
    private int storeMillisAt;
    private int storeHostAt;
    private int bodyAt;
    private int bodyLength;
    private int topicAt;
    private int topicLength;
    private int propertiesAt;
    private int propertiesLength;
    private boolean propertiesFound;
    private boolean hasParts;
    private final byte[] topicBytes = new byte[MessageLayout.TOPIC_MAX_BYTES];
    private int topicBytesLength;
    private @Nullable String topicText;

    /// Checks the record that starts at `at` whole, and stands for it if it is `OK`.
    ///
    /// @param source big-endian
    /// @param limit the absolute index where the bytes end
    /// @param checkCrc whether to compute the CRCs, which costs a pass over the record
    public Check wrap(ByteBuffer source, int at, int limit, boolean checkCrc) {
        look(source);
        start = at;
        size = 0;
        propertiesFound = false;
        Check layout = checkLayout(at, Math.min(limit, source.limit()));
        hasParts = layout == Check.OK;
        return layout == Check.OK && checkCrc ? checkCrcs() : layout;
    }

    @SuppressWarnings("ReferenceEquality") // the same buffer again, not one with equal bytes
    private void look(ByteBuffer source) {
        if (bytes != source) {
            bytes = source;
            window = source.duplicate();
        }
    }

    private Check checkLayout(int at, int limit) {
        if (at < 0 || limit - at < 8) {
            return limit - at >= 4 && at >= 0 && bytes.getInt(at) == 0 ? Check.END : Check.SHORT;
        }
        int claimed = bytes.getInt(at);
        int magic = bytes.getInt(at + MessageLayout.MAGIC);
        if (magic == MessageLayout.MAGIC_BLANK) {
            size = claimed;
            return claimed >= 8 ? Check.BLANK : Check.BAD_SIZE;
        }
        if (claimed == 0) {
            return Check.END;
        }
        if (magic != MessageLayout.MAGIC_V1 && magic != MessageLayout.MAGIC_V2) {
            return Check.BAD_MAGIC;
        }
        if (claimed < MessageLayout.EMPTY_BYTES || claimed > Network.MAX_FRAME_BYTES) {
            return Check.BAD_SIZE;
        }
        if (claimed > limit - at) {
            return Check.SHORT;
        }
        size = claimed;
        version = magic == MessageLayout.MAGIC_V1 ? 1 : 2;
        return findParts(at, at + claimed) ? Check.OK : Check.BAD_LAYOUT;
    }

    /// Finds where everything stands; false when it does not end exactly at `end`.
    private boolean findParts(int at, int end) {
        int flags = bytes.getInt(at + MessageLayout.FLAGS);
        storeMillisAt = at + MessageLayout.STORE_MILLIS + (MessageFlags.isBornV6(flags) ? MessageLayout.EXTRA_V6 : 0);
        storeHostAt = storeMillisAt + 8;
        int storeHostEnd = storeHostAt
                + (MessageFlags.isStoreV6(flags) ? MessageLayout.HOST_V6_BYTES : MessageLayout.HOST_V4_BYTES);
        int bodyLengthAt = storeHostEnd + 12;
        int topicLengthBytes = version;
        // What must still follow the body: the topic's length, and the length of the properties.
        int room = end - bodyLengthAt - 4 - topicLengthBytes - 2;
        if (room < 0) {
            return false;
        }
        bodyLength = bytes.getInt(bodyLengthAt);
        if (bodyLength < 0 || bodyLength > room) {
            return false;
        }
        bodyAt = bodyLengthAt + 4;
        int topicLengthAt = bodyAt + bodyLength;
        topicLength = version == 1 ? bytes.get(topicLengthAt) : bytes.getShort(topicLengthAt);
        if (topicLength < 1 || topicLength > MessageLayout.TOPIC_MAX_BYTES || topicLength > room - bodyLength) {
            return false;
        }
        topicAt = topicLengthAt + topicLengthBytes;
        propertiesAt = topicAt + topicLength + 2;
        propertiesLength = bytes.getShort(propertiesAt - 2);
        return propertiesLength >= 0 && propertiesAt + propertiesLength == end;
    }

    private Check checkCrcs() {
        int body = bodyLength == 0 ? 0 : (int) crcOf(bodyAt, bodyAt + bodyLength);
        if (body != bodyCrc()) {
            return Check.BAD_BODY_CRC;
        }
        int end = start + size;
        long claimed = RecordCrc.claimed(bytes, propertiesAt, end);
        boolean matches = claimed < 0 || claimed == crcOf(start, end - RecordCrc.PROPERTY_BYTES);
        return matches ? Check.OK : Check.BAD_RECORD_CRC;
    }

    private long crcOf(int from, int to) {
        crc.reset();
        window.limit(to).position(from);
        crc.update(window);
        return crc.getValue() & MessageLayout.CRC_MASK;
    }

    /// Whether the parts add up, so that they can be looked at; their content may be wrong unless the check was `OK`.
    public boolean hasParts() {
        return hasParts;
    }

    /// The whole record's size; after `BLANK` the number of unused bytes that the blank claims.
    public int size() {
        return size;
    }

    /// Where the record starts in the buffer.
    public int start() {
        return start;
    }

    /// 1 or 2.
    public int version() {
        return version;
    }

    public int bodyCrc() {
        return bytes.getInt(start + MessageLayout.BODY_CRC);
    }

    public int queueId() {
        return bytes.getInt(start + MessageLayout.QUEUE_ID);
    }

    public int userFlag() {
        return bytes.getInt(start + MessageLayout.USER_FLAG);
    }

    public long queueOffset() {
        return bytes.getLong(start + MessageLayout.QUEUE_OFFSET);
    }

    public long logOffset() {
        return bytes.getLong(start + MessageLayout.LOG_OFFSET);
    }

    /// See `MessageFlags`.
    public int flags() {
        return bytes.getInt(start + MessageLayout.FLAGS);
    }

    public long bornMillis() {
        return bytes.getLong(start + MessageLayout.BORN_MILLIS);
    }

    public RecordHost bornHost() {
        return RecordHost.read(bytes, start + MessageLayout.BORN_HOST, MessageFlags.isBornV6(flags()));
    }

    public long storeMillis() {
        return bytes.getLong(storeMillisAt);
    }

    public RecordHost storeHost() {
        return RecordHost.read(bytes, storeHostAt, MessageFlags.isStoreV6(flags()));
    }

    public int redeliveries() {
        return bytes.getInt(bodyAt - 16);
    }

    public long preparedLogOffset() {
        return bytes.getLong(bodyAt - 12);
    }

    /// Absolute, in the wrapped buffer.
    public int bodyOffset() {
        return bodyAt;
    }

    public int bodyLength() {
        return bodyLength;
    }

    /// A copy.
    public byte[] body() {
        byte[] copy = new byte[bodyLength];
        bytes.get(bodyAt, copy);
        return copy;
    }

    public int topicOffset() {
        return topicAt;
    }

    public int topicLength() {
        return topicLength;
    }

    /// The topic; of records of the same topic, one after another, the same string.
    public String topic() {
        String last = topicText;
        if (last != null && topicLength == topicBytesLength && isTopicOf(topicBytes)) {
            return last;
        }
        bytes.get(topicAt, topicBytes, 0, topicLength);
        topicBytesLength = topicLength;
        String text = new String(topicBytes, 0, topicLength, StandardCharsets.UTF_8);
        topicText = text;
        return text;
    }

    /// `FieldName.hash` of the topic's bytes, for look-ups that compare the bytes afterwards with `topicEquals`.
    public int topicHash() {
        int hash = 0;
        for (int i = topicAt; i < topicAt + topicLength; i++) {
            hash = 31 * hash + (bytes.get(i) & 0xFF);
        }
        return hash;
    }

    public boolean topicEquals(byte[] utf8) {
        return utf8.length == topicLength && isTopicOf(utf8);
    }

    private boolean isTopicOf(byte[] utf8) {
        for (int i = 0; i < topicLength; i++) {
            if (bytes.get(topicAt + i) != utf8[i]) {
                return false;
            }
        }
        return true;
    }

    public int propertiesOffset() {
        return propertiesAt;
    }

    public int propertiesLength() {
        return propertiesLength;
    }

    /// The properties as one string in their stored form.
    public String propertiesText() {
        MessageProperties found = properties();
        return new String(found.bytes(), found.from(), found.length(), StandardCharsets.UTF_8);
    }

    /// The properties, found once per record; the object belongs to this view.
    public MessageProperties properties() {
        if (!propertiesFound) {
            properties.wrap(bytes, propertiesAt, propertiesLength);
            propertiesFound = true;
        }
        return properties;
    }

    /// The code of the message's tag, `TagsCode.NONE` without one.
    public long tagsCode() {
        return propertiesLength == 0 ? TagsCode.NONE : properties().tagsCode();
    }
}
