package gantry.wire.message;

/// Where everything stands in a stored message.
///
/// ```
///   0       4       8       12      16      20              28              36      40
///   ┌───────┬───────┬───────┬───────┬───────┬───────────────┬───────────────┬───────┬───────────────┐
///   │ size  │ magic │bodyCrc│queueId│usrFlag│  queueOffset  │   logOffset   │ flags │  bornMillis   │
///   └───────┴───────┴───────┴───────┴───────┴───────────────┴───────────────┴───────┴───────────────┘
///   48              56 / 68
///   ┌───────────────┬───────────────┬───────────────┬───────────┬───────────────────┬──────┬──────┐
///   │ bornHost 8/20 │  storeMillis  │ storeHost 8/20│redeliver. │ preparedLogOffset │bodyL.│ body │
///   └───────────────┴───────────────┴───────────────┴───────────┴───────────────────┴──────┴──────┘
///   topicLength (v1: 1 byte, v2: 2 bytes), topic, propertiesLength 2, properties
/// ```
/// All numbers big-endian. A host is its address (4 or 16 bytes, see `MessageFlags`) and the port in 4 bytes.
/// Version 2 differs in the magic and the topic's length only; brokers and clients of 4.9 know version 1 alone.
///
/// For:   the one place with offsets of the format.
/// Owner: none (constants).
/// Never: the values; see `RecordWriter` and `RecordView`.
public final class MessageLayout {
    public static final int MAGIC_V1 = 0xDAA320A7;
    public static final int MAGIC_V2 = 0xDAA320AB;

    /// Stands where a magic would, behind the number of bytes that are left in a segment.
    public static final int MAGIC_BLANK = 0xCBD43194;

    public static final int SIZE = 0;
    public static final int MAGIC = 4;
    public static final int BODY_CRC = 8;
    public static final int QUEUE_ID = 12;
    public static final int USER_FLAG = 16;
    public static final int QUEUE_OFFSET = 20;
    public static final int LOG_OFFSET = 28;
    public static final int FLAGS = 36;
    public static final int BORN_MILLIS = 40;
    public static final int BORN_HOST = 48;

    /// When the born host is IPv4, `EXTRA_V6` later otherwise.
    public static final int STORE_MILLIS = 56;

    public static final int HOST_V4_BYTES = 8;
    public static final int HOST_V6_BYTES = 20;
    public static final int EXTRA_V6 = HOST_V6_BYTES - HOST_V4_BYTES;

    /// A record of version 1 with IPv4 hosts, without body, topic and properties.
    public static final int EMPTY_BYTES = 91;

    public static final int TOPIC_MAX_BYTES_V1 = 127;
    public static final int TOPIC_MAX_BYTES = 255;
    public static final int PROPERTIES_MAX_BYTES = Short.MAX_VALUE;

    /// An item of a batch send without body and properties.
    public static final int BATCH_ITEM_EMPTY_BYTES = 22;

    /// CRCs are stored without their highest bit.
    public static final int CRC_MASK = 0x7FFFFFFF;

    private MessageLayout() {}

    /// The size of a record; the version follows from the topic's length.
    public static long sizeOf(boolean bornV6, boolean storeV6, int bodyLength, int topicLength, int propertiesLength) {
        return (long) EMPTY_BYTES
                + (bornV6 ? EXTRA_V6 : 0)
                + (storeV6 ? EXTRA_V6 : 0)
                + (topicLength > TOPIC_MAX_BYTES_V1 ? 1 : 0)
                + bodyLength
                + topicLength
                + propertiesLength;
    }
}
