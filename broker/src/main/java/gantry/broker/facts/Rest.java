package gantry.broker.facts;

import gantry.wire.body.Body;
import gantry.wire.json.Json;
import gantry.wire.json.JsonFault;
import gantry.wire.json.JsonObject;
import gantry.wire.json.JsonWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/// What a file holds beside what we would write into it ourselves.
///
/// For:   handing RocketMQ its own settings back unharmed, also those that we do not know.
/// Owner: none (immutable).
/// Never: what we do know; that has its own way.
///
/// @param members of the file
/// @param fields by the name of a topic or a group: more of its settings
record Rest(Map<String, Json> members, Map<String, Map<String, Json>> fields) {
    static final Rest NOTHING = new Rest(Map.of(), Map.of());

    /// @param ours what we would have written for the same content
    static Rest of(StateFile file, JsonObject content, JsonObject ours) throws JsonFault {
        Map<String, Map<String, Json>> fields = new LinkedHashMap<>();
        if (!file.entities().isEmpty()) {
            JsonObject theirs = content.object(file.entities());
            JsonObject known = ours.object(file.entities());
            for (int i = 0; i < theirs.size(); i++) {
                if (theirs.value(i) instanceof JsonObject entity) {
                    String name = theirs.name(i, file.entities());
                    Map<String, Json> more = beyond(entity, known.object(name));
                    if (!more.isEmpty()) {
                        fields.put(name, more);
                    }
                }
            }
        }
        Map<String, Json> members = beyond(content, ours);
        members.remove(Seal.MEMBER);
        return new Rest(members, fields);
    }

    private static Map<String, Json> beyond(JsonObject theirs, JsonObject ours) throws JsonFault {
        Set<String> known = new TreeSet<>();
        for (int i = 0; i < ours.size(); i++) {
            known.add(ours.name(i, "a file"));
        }
        Map<String, Json> more = new LinkedHashMap<>();
        for (int i = 0; i < theirs.size(); i++) {
            String name = theirs.name(i, "a file");
            if (!known.contains(name)) {
                more.put(name, theirs.value(i));
            }
        }
        return more;
    }

    Map<String, Json> fieldsOf(String name) {
        return fields.getOrDefault(name, Map.of());
    }

    /// Writes `entity` with more fields than it knows.
    static void writeWith(JsonWriter out, Body entity, Map<String, Json> more) {
        try {
            JsonObject known = Json.read(entity.toBytes()).asObject("settings");
            out.beginObject();
            for (int i = 0; i < known.size(); i++) {
                out.name(known.name(i, "settings")).value(known.value(i));
            }
            more.forEach((name, value) -> out.name(name).value(value));
            out.endObject();
        } catch (JsonFault e) {
            throw new IllegalStateException("we cannot read what we write", e);
        }
    }
}
