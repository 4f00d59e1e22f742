package gantry.wire.body;

import gantry.wire.json.Json;
import gantry.wire.json.JsonFault;
import gantry.wire.json.JsonObject;
import gantry.wire.json.JsonWriter;
import java.util.Map;

/// One topic as a broker knows it.
///
/// For:   registration, `topics.json` and the tools.
/// Owner: none (immutable).
///
/// @param filterType `SINGLE_TAG` or `MULTI_TAG`
/// @param attributes of 5.x, as `queue.type` → `SimpleCQ`; empty with 4.9 peers
public record TopicConfig(
        String topic,
        int readQueues,
        int writeQueues,
        int permission,
        String filterType,
        int topicFlags,
        boolean ordered,
        Map<String, String> attributes)
        implements Body {
    public static final String SINGLE_TAG = "SINGLE_TAG";
    public static final String MULTI_TAG = "MULTI_TAG";

    /// What peers assume when a number of queues is left out.
    private static final int DEFAULT_QUEUES = 16;

    public TopicConfig {
        attributes = attributes.isEmpty() ? Map.of() : Tables.frozen(attributes);
    }

    /// A plain topic with as many queues to read as to write.
    public static TopicConfig of(String topic, int queues, int permission) {
        return new TopicConfig(topic, queues, queues, permission, SINGLE_TAG, 0, false, Map.of());
    }

    public TopicConfig with(Map<String, String> other) {
        return new TopicConfig(topic, readQueues, writeQueues, permission, filterType, topicFlags, ordered, other);
    }

    public QueueLayout layout(String brokerName) {
        return new QueueLayout(brokerName, readQueues, writeQueues, permission, topicFlags);
    }

    public static TopicConfig fromJson(Json json) throws JsonFault {
        JsonObject object = json.asObject("a topic");
        return new TopicConfig(
                object.requireText("topicName"),
                object.whole("readQueueNums", DEFAULT_QUEUES),
                object.whole("writeQueueNums", DEFAULT_QUEUES),
                object.whole("perm", Permission.READ_WRITE),
                object.text("topicFilterType", SINGLE_TAG),
                object.whole("topicSysFlag", 0),
                object.flag("order", false),
                object.textTable("attributes"));
    }

    @Override
    public void write(JsonWriter out) {
        out.beginObject()
                .field("attributes", attributes)
                .field("order", ordered)
                .field("perm", permission)
                .field("readQueueNums", readQueues)
                .field("topicFilterType", filterType)
                .field("topicName", topic)
                .field("topicSysFlag", topicFlags)
                .field("writeQueueNums", writeQueues)
                .endObject();
    }
}
