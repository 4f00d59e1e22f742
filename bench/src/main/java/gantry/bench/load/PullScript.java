package gantry.bench.load;

import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;

/// Pulls one queue from its start to a given end, 32 messages at a time, and checks that nothing is missing.
///
/// For:   the load of a consumer that catches up.
/// Owner: the thread of the load loop.
/// Never: bodies and checksums; the walk reads sizes, marks and offsets, which is what finding the messages costs.
final class PullScript implements Script {
    static final int MAX_MESSAGES = 32;
    private static final int ANSWER_BYTES = 4 * 1024 * 1024;
    private static final int MAGIC_AT = 4;
    private static final int QUEUE_OFFSET_AT = 20;
    private static final int MAGIC_V1 = 0xDAA320A7;
    private static final int MAGIC_V2 = 0xDAA320AB;
    private static final int SMALLEST_RECORD = 90;
    /// A committed offset rides along (1); the server may wait for messages (2).
    private static final int PULL_FLAGS = 3;

    private final Codec codec;
    private final String group;
    private final String topic;
    private final int queueId;
    private final long end;
    private final long subscriptionVersion;
    private long next;
    private long consumed;

    PullScript(Codec codec, String group, String topic, int queueId, long end, long subscriptionVersion) {
        this.codec = codec;
        this.group = group;
        this.topic = topic;
        this.queueId = queueId;
        this.end = end;
        this.subscriptionVersion = subscriptionVersion;
    }

    @Override
    public int requestBytes() {
        return 1024;
    }

    @Override
    public int answerBytes() {
        return ANSWER_BYTES;
    }

    @Override
    public int messagesPerRequest() {
        return MAX_MESSAGES;
    }

    @Override
    public boolean exhausted() {
        return next >= end;
    }

    @Override
    public void ask(ByteBuffer out, int correlationId, long nowMillis) {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("queueId", Integer.toString(queueId));
        fields.put("maxMsgBytes", "262144");
        fields.put("maxMsgNums", Integer.toString(MAX_MESSAGES));
        fields.put("sysFlag", Integer.toString(PULL_FLAGS));
        fields.put("suspendTimeoutMillis", "15000");
        fields.put("commitOffset", Long.toString(consumed));
        fields.put("bname", "bench");
        fields.put("topic", topic);
        fields.put("queueOffset", Long.toString(next));
        fields.put("expressionType", "TAG");
        fields.put("subVersion", Long.toString(subscriptionVersion));
        fields.put("consumerGroup", group);
        out.put(Frames.encode(codec, Answers.PULL_MESSAGE, 0, correlationId, fields, new byte[0]));
        consumed = next;
    }

    @Override
    public int confirm(ByteBuffer in, AnswerHeader answer) throws LoadFailed {
        int at = answer.bodyAt();
        int limit = at + answer.bodyLength();
        int messages = 0;
        while (at + SMALLEST_RECORD <= limit) {
            int size = in.getInt(at);
            int magic = in.getInt(at + MAGIC_AT);
            long offset = in.getLong(at + QUEUE_OFFSET_AT);
            if (size < SMALLEST_RECORD || size > limit - at || (magic != MAGIC_V1 && magic != MAGIC_V2)) {
                throw new LoadFailed("queue " + queueId + " at offset " + next + ": the pulled bytes are no record");
            }
            if (offset != next) {
                throw new LoadFailed("queue " + queueId + ": offset " + next + " was due and " + offset + " came");
            }
            next++;
            messages++;
            at += size;
        }
        if (at != limit || messages == 0) {
            throw new LoadFailed("queue " + queueId + " at offset " + next + ": " + messages + " messages and "
                    + (limit - at) + " bytes of something else came");
        }
        return messages;
    }

    @Override
    public boolean isRetryable(int code) {
        return code == Answers.SYSTEM_BUSY || code == Answers.PULL_RETRY_IMMEDIATELY;
    }
}
