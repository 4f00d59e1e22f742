package gantry.wire.message;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/// What the next stored message will consist of.
///
/// For:   handing a message to `RecordWriter` without copying its parts; reused for one message after another.
/// Owner: one session (or whoever makes records); the arrays and the buffer belong to whoever set them.
/// Never: numbers that the log gives (queueOffset, logOffset, storeMillis).
public final class RecordDraft {
    private static final byte[] NOTHING = new byte[0];
    private static final ByteBuffer NO_BODY = ByteBuffer.allocate(0).asReadOnlyBuffer();

    byte[] topic = NOTHING;
    int topicFrom;
    int topicLength;
    byte[] properties = NOTHING;
    int propertiesFrom;
    int propertiesLength;
    byte[] added = NOTHING;
    int addedFrom;
    int addedLength;
    ByteBuffer body = NO_BODY;
    int bodyOffset;
    int bodyLength;
    int queueId;
    int userFlag;
    int flags;
    long bornMillis;
    RecordHost bornHost = RecordHost.UNKNOWN;
    RecordHost storeHost = RecordHost.UNKNOWN;
    int redeliveries;
    long preparedLogOffset;
    final CRC32 crc = new CRC32();
    final boolean endsInCrc;

    public RecordDraft() {
        this(false);
    }

    /// @param endsInCrc whether its records end in the property `__CRC32#`, which `RecordWriter.sum` fills
    public RecordDraft(boolean endsInCrc) {
        this.endsInCrc = endsInCrc;
    }

    /// Everything as in a new draft.
    public RecordDraft clear() {
        topic(NOTHING, 0, 0);
        properties(NOTHING, 0, 0);
        addedProperties(NOTHING, 0, 0);
        body(NO_BODY, 0, 0);
        queueId = 0;
        userFlag = 0;
        flags = 0;
        bornMillis = 0;
        bornHost = RecordHost.UNKNOWN;
        storeHost = RecordHost.UNKNOWN;
        redeliveries = 0;
        preparedLogOffset = 0;
        return this;
    }

    public RecordDraft topic(byte[] utf8, int from, int length) {
        topic = utf8;
        topicFrom = from;
        topicLength = length;
        return this;
    }

    public RecordDraft topic(byte[] utf8) {
        return topic(utf8, 0, utf8.length);
    }

    /// The properties as the sender gave them. A CRC over a whole record at their end is of another record than this
    /// one will be, and is left out.
    public RecordDraft properties(byte[] utf8, int from, int length) {
        properties = utf8;
        propertiesFrom = from;
        propertiesLength = length - (RecordCrc.isProperty(utf8, from, length) ? RecordCrc.PROPERTY_BYTES : 0);
        return this;
    }

    public RecordDraft properties(byte[] utf8) {
        return properties(utf8, 0, utf8.length);
    }

    /// Properties of ours that are stored behind the sender's, with a separator between them if one is missing.
    public RecordDraft addedProperties(byte[] utf8, int from, int length) {
        added = utf8;
        addedFrom = from;
        addedLength = length;
        return this;
    }

    public RecordDraft addedProperties(byte[] utf8) {
        return addedProperties(utf8, 0, utf8.length);
    }

    /// `length` bytes of `source` from the absolute index `offset`; its position and limit do not matter.
    public RecordDraft body(ByteBuffer source, int offset, int length) {
        body = source;
        bodyOffset = offset;
        bodyLength = length;
        return this;
    }

    public RecordDraft body(byte @Nullable [] bytes) {
        return bytes == null ? body(NO_BODY, 0, 0) : body(ByteBuffer.wrap(bytes), 0, bytes.length);
    }

    public RecordDraft queueId(int id) {
        queueId = id;
        return this;
    }

    public RecordDraft userFlag(int flag) {
        userFlag = flag;
        return this;
    }

    /// See `MessageFlags`; the two bits of IPv6 hosts follow from the hosts.
    public RecordDraft flags(int bits) {
        flags = bits;
        return this;
    }

    public RecordDraft bornMillis(long millis) {
        bornMillis = millis;
        return this;
    }

    public RecordDraft bornHost(RecordHost host) {
        bornHost = host;
        return this;
    }

    public RecordDraft storeHost(RecordHost host) {
        storeHost = host;
        return this;
    }

    public RecordDraft redeliveries(int count) {
        redeliveries = count;
        return this;
    }

    /// Of the half message that this one commits; 0 otherwise.
    public RecordDraft preparedLogOffset(long offset) {
        preparedLogOffset = offset;
        return this;
    }
}
