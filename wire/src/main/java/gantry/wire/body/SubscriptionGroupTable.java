package gantry.wire.body;

import gantry.wire.json.Json;
import gantry.wire.json.JsonFault;
import gantry.wire.json.JsonObject;
import gantry.wire.json.JsonWriter;
import java.util.LinkedHashMap;
import java.util.Map;

/// All subscription groups of a broker.
///
/// For:   the answer to code 201, and `subscriptionGroup.json`.
/// Owner: none (immutable).
///
/// @param groups by group name
/// @param forbidden group → topic → bits of what is forbidden there (1 reading)
public record SubscriptionGroupTable(
        DataVersion version, Map<String, SubscriptionGroup> groups, Map<String, Map<String, Integer>> forbidden)
        implements Body {
    public SubscriptionGroupTable {
        groups = Tables.frozen(groups);
        forbidden = Tables.frozen(forbidden);
    }

    public static SubscriptionGroupTable fromJson(Json json) throws JsonFault {
        JsonObject object = json.asObject("a table of subscription groups");
        return new SubscriptionGroupTable(
                DataVersion.in(object, "dataVersion"),
                Tables.byName(object, "subscriptionGroupTable", SubscriptionGroup::fromJson),
                Tables.byName(object, "forbiddenTable", SubscriptionGroupTable::bitsByTopic));
    }

    private static Map<String, Integer> bitsByTopic(Json json) throws JsonFault {
        JsonObject table = json.asObject("forbiddenTable");
        Map<String, Integer> bits = new LinkedHashMap<>();
        for (int i = 0; i < table.size(); i++) {
            bits.put(table.name(i, "forbiddenTable"), table.value(i).asInt("forbiddenTable"));
        }
        return bits;
    }

    @Override
    public void write(JsonWriter out) {
        out.beginObject();
        version.write(out.name("dataVersion"));
        out.name("forbiddenTable").beginObject();
        forbidden.forEach((group, topics) -> {
            out.name(group).beginObject();
            topics.forEach((topic, bits) -> out.field(topic, bits));
            out.endObject();
        });
        out.endObject();
        Tables.write(out, "subscriptionGroupTable", groups);
        out.endObject();
    }
}
