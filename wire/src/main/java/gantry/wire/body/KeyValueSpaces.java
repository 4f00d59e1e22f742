package gantry.wire.body;

import gantry.wire.json.Json;
import gantry.wire.json.JsonFault;
import gantry.wire.json.JsonObject;
import gantry.wire.json.JsonWriter;
import java.util.LinkedHashMap;
import java.util.Map;

/// The nameserver's key-value configuration.
///
/// For:   `kvConfig.json`.
/// Owner: none (immutable).
///
/// @param spaces namespace → key → value
public record KeyValueSpaces(Map<String, Map<String, String>> spaces) implements Body {
    /// The namespace with the queue order of ordered topics, `broker:queues;…` by topic.
    public static final String ORDER_TOPIC_CONFIG = "ORDER_TOPIC_CONFIG";

    public static final KeyValueSpaces EMPTY = new KeyValueSpaces(Map.of());

    public KeyValueSpaces {
        Map<String, Map<String, String>> copy = new LinkedHashMap<>();
        spaces.forEach((name, table) -> copy.put(name, Tables.frozen(table)));
        spaces = Tables.frozen(copy);
    }

    public static KeyValueSpaces fromJson(Json json) throws JsonFault {
        JsonObject spaces = json.asObject("a key-value configuration").object("configTable");
        Map<String, Map<String, String>> copy = new LinkedHashMap<>();
        for (int i = 0; i < spaces.size(); i++) {
            String name = spaces.name(i, "configTable");
            copy.put(name, spaces.textTable(name));
        }
        return new KeyValueSpaces(copy);
    }

    @Override
    public void write(JsonWriter out) {
        out.beginObject().name("configTable").beginObject();
        spaces.forEach(out::field);
        out.endObject().endObject();
    }
}
