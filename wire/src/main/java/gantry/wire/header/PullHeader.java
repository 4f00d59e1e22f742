package gantry.wire.header;

import gantry.wire.frame.FieldNames;
import gantry.wire.frame.FieldPlaces;
import gantry.wire.frame.FieldSet;
import gantry.wire.frame.FieldTable;
import gantry.wire.frame.HeaderReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The header of a pull.
///
/// For:   requests 11 and 361, read in one pass over the fields.
/// Owner: one session; it stands for the last header that it read, until the `HeaderReader` reads the next.
/// Never: throws; judges groups, offsets or expressions.
public final class PullHeader {
    private static final int GROUP = 0;
    private static final int TOPIC = 1;
    private static final int QUEUE_ID = 2;
    private static final int QUEUE_OFFSET = 3;
    private static final int MAX_MESSAGES = 4;
    private static final int FLAGS = 5;
    private static final int CONSUMED_OFFSET = 6;
    private static final int SUSPEND_MILLIS = 7;
    private static final int SUBSCRIPTION = 8;
    private static final int SUBSCRIPTION_VERSION = 9;
    private static final int EXPRESSION_TYPE = 10;
    private static final int MAX_BYTES = 11;

    private static final FieldSet NAMES = FieldSet.of(
            FieldNames.CONSUMER_GROUP,
            FieldNames.TOPIC,
            FieldNames.QUEUE_ID,
            FieldNames.QUEUE_OFFSET,
            FieldNames.MAX_MSG_NUMS,
            FieldNames.SYS_FLAG,
            FieldNames.COMMIT_OFFSET,
            FieldNames.SUSPEND_TIMEOUT_MILLIS,
            FieldNames.SUBSCRIPTION,
            FieldNames.SUB_VERSION,
            FieldNames.EXPRESSION_TYPE,
            FieldNames.MAX_MSG_BYTES);

    private static final byte[] NOTHING = new byte[0];
    private static final String TAG = "TAG";

    private final FieldPlaces places = new FieldPlaces(NAMES.size());
    private int[] at = new int[NAMES.size()];
    private FieldTable fields = new FieldTable();
    private byte[] bytes = NOTHING;
    private int queueId;
    private long queueOffset;
    private int maxMessages;
    private int flags;
    private long consumedOffset;
    private long suspendMillis;
    private long subscriptionVersion;
    private int maxBytes;
    private @Nullable String fault;

    /// @return false when a mandatory field is missing or no number; `fault` says which
    public boolean read(HeaderReader header) {
        fields = header.table();
        bytes = fields.bytes();
        at = places.locate(fields, NAMES);
        queueId = header.requireIntAt(at[QUEUE_ID], FieldNames.QUEUE_ID);
        queueOffset = header.requireLongAt(at[QUEUE_OFFSET], FieldNames.QUEUE_OFFSET);
        maxMessages = header.requireIntAt(at[MAX_MESSAGES], FieldNames.MAX_MSG_NUMS);
        flags = header.requireIntAt(at[FLAGS], FieldNames.SYS_FLAG);
        consumedOffset = header.requireLongAt(at[CONSUMED_OFFSET], FieldNames.COMMIT_OFFSET);
        suspendMillis = header.requireLongAt(at[SUSPEND_MILLIS], FieldNames.SUSPEND_TIMEOUT_MILLIS);
        subscriptionVersion = header.requireLongAt(at[SUBSCRIPTION_VERSION], FieldNames.SUB_VERSION);
        maxBytes = header.intAt(at[MAX_BYTES], FieldNames.MAX_MSG_BYTES, Integer.MAX_VALUE);
        fault = header.fault();
        if (fault == null && at[GROUP] < 0) {
            fault = "field " + FieldNames.CONSUMER_GROUP + " is missing";
        } else if (fault == null && at[TOPIC] < 0) {
            fault = "field " + FieldNames.TOPIC + " is missing";
        }
        return fault == null;
    }

    private int from(int slot) {
        return at[slot] < 0 ? 0 : fields.valueFrom(at[slot]);
    }

    private int length(int slot) {
        return at[slot] < 0 ? 0 : fields.valueLength(at[slot]);
    }

    private boolean equals(int slot, byte[] utf8) {
        int from = from(slot);
        return Arrays.equals(bytes, from, from + length(slot), utf8, 0, utf8.length);
    }

    private String text(int slot) {
        return new String(bytes, from(slot), length(slot), StandardCharsets.UTF_8);
    }

    public @Nullable String fault() {
        return fault;
    }

    /// The array in which group and topic stand.
    public byte[] bytes() {
        return bytes;
    }

    public int topicFrom() {
        return from(TOPIC);
    }

    public int topicLength() {
        return length(TOPIC);
    }

    public boolean topicEquals(byte[] utf8) {
        return equals(TOPIC, utf8);
    }

    public String topic() {
        return text(TOPIC);
    }

    public boolean groupEquals(byte[] utf8) {
        return equals(GROUP, utf8);
    }

    public String group() {
        return text(GROUP);
    }

    public int queueId() {
        return queueId;
    }

    public long queueOffset() {
        return queueOffset;
    }

    public int maxMessages() {
        return maxMessages;
    }

    /// See `PullFlags`.
    public int flags() {
        return flags;
    }

    /// The group's progress, valid with `PullFlags.COMMIT_OFFSET`.
    public long consumedOffset() {
        return consumedOffset;
    }

    public long suspendMillis() {
        return suspendMillis;
    }

    public @Nullable String subscription() {
        return at[SUBSCRIPTION] < 0 ? null : text(SUBSCRIPTION);
    }

    public long subscriptionVersion() {
        return subscriptionVersion;
    }

    /// `TAG` when the request does not say.
    public String expressionType() {
        int slot = at[EXPRESSION_TYPE];
        return slot < 0 || fields.isValue(slot, "tag") ? TAG : fields.value(slot);
    }

    /// `Integer.MAX_VALUE` when the request does not say.
    public int maxBytes() {
        return maxBytes;
    }
}
