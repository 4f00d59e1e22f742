package gantry.wire.body;

import gantry.wire.json.Json;
import gantry.wire.json.JsonFault;
import gantry.wire.json.JsonObject;
import gantry.wire.json.JsonWriter;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Which logical queues of a static topic one broker holds at present.
///
/// For:   handing the mapping of 5.x static topics on, unchanged.
/// Owner: none (immutable).
/// Never: decides about mappings; the tools that make static topics do.
///
/// @param currentQueues logical queue → queue of this broker
public record QueueMapping(
        String topic,
        @Nullable String scope,
        int totalQueues,
        String brokerName,
        long epoch,
        boolean dirty,
        SortedMap<Integer, Integer> currentQueues)
        implements Body {
    public QueueMapping {
        currentQueues = Tables.frozenSorted(currentQueues);
    }

    public static QueueMapping fromJson(Json json) throws JsonFault {
        JsonObject object = json.asObject("a queue mapping");
        JsonObject table = object.object("currIdMap");
        SortedMap<Integer, Integer> current = new TreeMap<>();
        for (int i = 0; i < table.size(); i++) {
            current.put(table.key(i).asInt("a key of currIdMap"), table.value(i).asInt("currIdMap"));
        }
        return new QueueMapping(
                object.requireText("topic"),
                object.text("scope"),
                object.whole("totalQueues", 0),
                object.requireText("bname"),
                object.whole("epoch", 0L),
                object.flag("dirty", false),
                current);
    }

    @Override
    public void write(JsonWriter out) {
        out.beginObject().field("bname", brokerName).name("currIdMap").beginObject();
        currentQueues.forEach((logical, own) -> out.name(logical).whole(own));
        out.endObject()
                .field("dirty", dirty)
                .field("epoch", epoch)
                .field("scope", scope)
                .field("topic", topic)
                .field("totalQueues", totalQueues)
                .endObject();
    }
}
