package gantry.wire.message;

import java.nio.ByteBuffer;

/// Reads one stored message in place.
///
/// For:   looking at records of the log, of a replica's batch, or of a pull answer.
/// Owner: whoever made it; it stands for the last record that it wrapped, as long as the bytes live.
/// Never: reads past the limit, whatever the lengths in the record claim.
public final class RecordView {
    /// Checks the record that starts at `at` whole, and stands for it if it is `OK`.
    ///
    /// @param limit the absolute index where the bytes end
    /// @param checkCrc whether to compute the CRCs, which costs a pass over the body
    public Check wrap(ByteBuffer bytes, int at, int limit, boolean checkCrc) {
        return Check.SHORT;
    }

    /// The whole record's size; after `BLANK` the number of unused bytes.
    public int size() {
        return 0;
    }

    /// Where the record starts in the buffer.
    public int start() {
        return 0;
    }

    /// 1 or 2.
    public int version() {
        return 0;
    }

    public int bodyCrc() {
        return 0;
    }

    public int queueId() {
        return 0;
    }

    public int userFlag() {
        return 0;
    }

    public long queueOffset() {
        return 0;
    }

    public long logOffset() {
        return 0;
    }

    /// See `MessageFlags`.
    public int flags() {
        return 0;
    }

    public long bornMillis() {
        return 0;
    }

    public RecordHost bornHost() {
        return RecordHost.UNKNOWN;
    }

    public long storeMillis() {
        return 0;
    }

    public RecordHost storeHost() {
        return RecordHost.UNKNOWN;
    }

    public int redeliveries() {
        return 0;
    }

    public long preparedLogOffset() {
        return 0;
    }

    /// Absolute, in the wrapped buffer.
    public int bodyOffset() {
        return 0;
    }

    public int bodyLength() {
        return 0;
    }

    /// A copy.
    public byte[] body() {
        return new byte[0];
    }

    public int topicOffset() {
        return 0;
    }

    public int topicLength() {
        return 0;
    }

    public String topic() {
        return "";
    }

    /// `FieldName.hash` of the topic's bytes, for look-ups that compare the bytes afterwards with `topicEquals`.
    public int topicHash() {
        return 0;
    }

    public boolean topicEquals(byte[] utf8) {
        return false;
    }

    public int propertiesOffset() {
        return 0;
    }

    public int propertiesLength() {
        return 0;
    }

    /// The properties as one string in their stored form.
    public String propertiesText() {
        return "";
    }

    /// The properties, found once per record; the object belongs to this view.
    public MessageProperties properties() {
        return new MessageProperties();
    }

    /// The code of the message's tag, `TagsCode.NONE` without one.
    public long tagsCode() {
        return 0;
    }
}
