package gantry.wire.body;

import gantry.wire.json.Json;
import gantry.wire.json.JsonFault;
import gantry.wire.json.JsonObject;
import gantry.wire.json.JsonWriter;
import java.util.Comparator;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// Names one queue of one topic on one broker.
///
/// For:   lists of queues, and keys of tables about queues.
/// Owner: none (immutable).
public record MessageQueueRef(String topic, String brokerName, int queueId)
        implements Body, Comparable<MessageQueueRef> {
    private static final Comparator<MessageQueueRef> ORDER = Comparator.comparing(MessageQueueRef::topic)
            .thenComparing(MessageQueueRef::brokerName)
            .thenComparingInt(MessageQueueRef::queueId);

    public static MessageQueueRef fromJson(Json json) throws JsonFault {
        JsonObject object = json.asObject("a queue");
        return new MessageQueueRef(
                object.requireText("topic"), object.requireText("brokerName"), object.whole("queueId", 0));
    }

    /// A key of a table: the object itself, or its JSON as text, as 4.9 peers may write it.
    public static MessageQueueRef fromKey(Json key) throws JsonFault {
        return fromJson(key instanceof Json.Text(String text) ? Json.read(text) : key);
    }

    /// A table of numbers by queue, `{{"brokerName":…}:5}`.
    public static SortedMap<MessageQueueRef, Long> wholeTable(JsonObject table, String name) throws JsonFault {
        SortedMap<MessageQueueRef, Long> map = new TreeMap<>();
        for (int i = 0; i < table.size(); i++) {
            map.put(fromKey(table.key(i)), table.value(i).asWhole(name));
        }
        return map;
    }

    public static void writeTable(JsonWriter out, String name, Map<MessageQueueRef, Long> table) {
        out.name(name).beginObject();
        table.forEach((queue, value) -> out.name(queue::write).whole(value));
        out.endObject();
    }

    @Override
    public void write(JsonWriter out) {
        out.beginObject()
                .field("brokerName", brokerName)
                .field("queueId", queueId)
                .field("topic", topic)
                .endObject();
    }

    @Override
    public int compareTo(MessageQueueRef other) {
        return ORDER.compare(this, other);
    }
}
