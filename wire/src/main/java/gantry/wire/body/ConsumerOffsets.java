package gantry.wire.body;

import gantry.wire.json.Json;
import gantry.wire.json.JsonFault;
import gantry.wire.json.JsonObject;
import gantry.wire.json.JsonWriter;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// How far every group has come.
///
/// For:   the answer to code 43, and `consumerOffset.json`.
/// Owner: none (immutable).
///
/// @param offsets `topic@group` → queue → offset of the next message
public record ConsumerOffsets(DataVersion version, Map<String, SortedMap<Integer, Long>> offsets) implements Body {
    /// Stands between topic and group in a key; neither name can hold it.
    public static final char SEPARATOR = '@';

    public ConsumerOffsets {
        offsets = Tables.frozen(offsets);
    }

    public static String key(String topic, String group) {
        return topic + SEPARATOR + group;
    }

    public static ConsumerOffsets fromJson(Json json) throws JsonFault {
        JsonObject object = json.asObject("a table of consumer offsets");
        return new ConsumerOffsets(
                DataVersion.in(object, "dataVersion"), Tables.byName(object, "offsetTable", ConsumerOffsets::byQueue));
    }

    private static SortedMap<Integer, Long> byQueue(Json json) throws JsonFault {
        JsonObject table = json.asObject("offsetTable");
        SortedMap<Integer, Long> offsets = new TreeMap<>();
        for (int i = 0; i < table.size(); i++) {
            offsets.put(
                    table.key(i).asInt("a queue of offsetTable"), table.value(i).asWhole("offsetTable"));
        }
        return offsets;
    }

    @Override
    public void write(JsonWriter out) {
        out.beginObject();
        version.write(out.name("dataVersion"));
        out.name("offsetTable").beginObject();
        offsets.forEach((key, queues) -> {
            out.name(key).beginObject();
            queues.forEach((queue, offset) -> out.name(queue).whole(offset));
            out.endObject();
        });
        out.endObject().endObject();
    }
}
