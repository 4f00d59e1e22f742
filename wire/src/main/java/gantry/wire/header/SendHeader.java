package gantry.wire.header;

import gantry.wire.frame.FieldName;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.FieldPlaces;
import gantry.wire.frame.FieldSet;
import gantry.wire.frame.FieldTable;
import gantry.wire.frame.HeaderReader;
import gantry.wire.frame.RequestCodes;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The header of a send, with long names or single letters.
///
/// For:   requests 10, 310, 320, 324 and 325, read in one pass over the fields.
/// Owner: one session; it stands for the last header that it read, until the `HeaderReader` reads the next.
/// Never: throws; judges names, queues or sizes.
public final class SendHeader {
    private static final int GROUP = 0;
    private static final int TOPIC = 1;
    private static final int DEFAULT_TOPIC = 2;
    private static final int DEFAULT_QUEUES = 3;
    private static final int QUEUE_ID = 4;
    private static final int FLAGS = 5;
    private static final int BORN_MILLIS = 6;
    private static final int USER_FLAG = 7;
    private static final int PROPERTIES = 8;
    private static final int REDELIVERIES = 9;
    private static final int UNIT_MODE = 10;
    private static final int MAX_REDELIVERIES = 11;
    private static final int BATCH = 12;

    private static final FieldSet LONG_NAMES = FieldSet.of(
            FieldNames.PRODUCER_GROUP,
            FieldNames.TOPIC,
            FieldNames.DEFAULT_TOPIC,
            FieldNames.DEFAULT_TOPIC_QUEUE_NUMS,
            FieldNames.QUEUE_ID,
            FieldNames.SYS_FLAG,
            FieldNames.BORN_TIMESTAMP,
            FieldNames.FLAG,
            FieldNames.PROPERTIES,
            FieldNames.RECONSUME_TIMES,
            FieldNames.UNIT_MODE,
            FieldNames.MAX_RECONSUME_TIMES,
            FieldNames.BATCH);

    private static final FieldSet LETTERS = FieldSet.of("abcdefghijklm"
            .chars()
            .mapToObj(letter -> FieldName.of(Character.toString(letter)))
            .toArray(FieldName[]::new));

    private static final byte[] NOTHING = new byte[0];

    private final FieldPlaces places = new FieldPlaces(LONG_NAMES.size());
    private int[] at = new int[LONG_NAMES.size()];
    private FieldTable fields = new FieldTable();
    private byte[] bytes = NOTHING;
    private int topicFrom;
    private int topicLength;
    private int propertiesFrom;
    private int propertiesLength;
    private int defaultTopicQueues;
    private int queueId;
    private int flags;
    private long bornMillis;
    private int userFlag;
    private int redeliveries;
    private boolean unitMode;
    private int maxRedeliveries;
    private boolean batch;
    private @Nullable String fault;

    /// Reads the fields by the names that belong to the request's code.
    ///
    /// @return false when a mandatory field is missing or no number; `fault` says which, by its long name
    public boolean read(HeaderReader header) {
        fields = header.table();
        bytes = fields.bytes();
        at = places.locate(fields, hasLetters(header.code()) ? LETTERS : LONG_NAMES);
        readBytes();
        readNumbers(header);
        fault = header.fault();
        if (fault == null) {
            fault = missing();
        }
        return fault == null;
    }

    private static boolean hasLetters(int code) {
        return code == RequestCodes.SEND_MESSAGE_V2
                || code == RequestCodes.SEND_BATCH_MESSAGE
                || code == RequestCodes.SEND_REPLY_MESSAGE_V2;
    }

    private void readBytes() {
        topicFrom = from(TOPIC);
        topicLength = length(TOPIC);
        propertiesFrom = from(PROPERTIES);
        propertiesLength = length(PROPERTIES);
    }

    private void readNumbers(HeaderReader header) {
        defaultTopicQueues = header.requireIntAt(at[DEFAULT_QUEUES], FieldNames.DEFAULT_TOPIC_QUEUE_NUMS);
        queueId = header.requireIntAt(at[QUEUE_ID], FieldNames.QUEUE_ID);
        flags = header.requireIntAt(at[FLAGS], FieldNames.SYS_FLAG);
        bornMillis = header.requireLongAt(at[BORN_MILLIS], FieldNames.BORN_TIMESTAMP);
        userFlag = header.requireIntAt(at[USER_FLAG], FieldNames.FLAG);
        redeliveries = header.intAt(at[REDELIVERIES], FieldNames.RECONSUME_TIMES, 0);
        unitMode = header.booleanAt(at[UNIT_MODE], false);
        maxRedeliveries = header.intAt(at[MAX_REDELIVERIES], FieldNames.MAX_RECONSUME_TIMES, -1);
        batch = header.code() == RequestCodes.SEND_BATCH_MESSAGE || header.booleanAt(at[BATCH], false);
    }

    private @Nullable String missing() {
        for (int slot = GROUP; slot <= DEFAULT_TOPIC; slot++) {
            if (at[slot] < 0) {
                return "field " + LONG_NAMES.name(slot) + " is missing";
            }
        }
        return null;
    }

    private int from(int slot) {
        return at[slot] < 0 ? 0 : fields.valueFrom(at[slot]);
    }

    private int length(int slot) {
        return at[slot] < 0 ? 0 : fields.valueLength(at[slot]);
    }

    private String text(int slot) {
        return at[slot] < 0 ? "" : fields.value(at[slot]);
    }

    public @Nullable String fault() {
        return fault;
    }

    /// The array in which topic and properties stand.
    public byte[] bytes() {
        return bytes;
    }

    public int topicFrom() {
        return topicFrom;
    }

    public int topicLength() {
        return topicLength;
    }

    public boolean topicEquals(byte[] utf8) {
        return Arrays.equals(bytes, topicFrom, topicFrom + topicLength, utf8, 0, utf8.length);
    }

    public String topic() {
        return new String(bytes, topicFrom, topicLength, StandardCharsets.UTF_8);
    }

    public int propertiesFrom() {
        return propertiesFrom;
    }

    /// 0 when there are none.
    public int propertiesLength() {
        return propertiesLength;
    }

    public String producerGroup() {
        return text(GROUP);
    }

    /// The topic whose settings a new topic gets.
    public String defaultTopic() {
        return text(DEFAULT_TOPIC);
    }

    public int defaultTopicQueues() {
        return defaultTopicQueues;
    }

    /// Negative: any queue.
    public int queueId() {
        return queueId;
    }

    /// See `MessageFlags`.
    public int flags() {
        return flags;
    }

    public long bornMillis() {
        return bornMillis;
    }

    public int userFlag() {
        return userFlag;
    }

    public int redeliveries() {
        return redeliveries;
    }

    public boolean unitMode() {
        return unitMode;
    }

    /// -1 when the sender does not say.
    public int maxRedeliveries() {
        return maxRedeliveries;
    }

    /// The body consists of `BatchItems`.
    public boolean isBatch() {
        return batch;
    }
}
