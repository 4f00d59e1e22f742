package gantry.wire.body;

import gantry.wire.json.Json;
import gantry.wire.json.JsonFault;
import gantry.wire.json.JsonObject;
import gantry.wire.json.JsonWriter;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// A route, and when its brokers were heard.
///
/// For:   the answer to a route request that asks for it; whoever reads a `TopicRoute` only, reads one.
/// Owner: none (immutable).
///
/// @param heard broker name → broker id → when; empty when the answer says nothing of it
public record FreshRoute(TopicRoute route, Map<String, SortedMap<Long, Heard>> heard) implements Body {
    private static final String MEMBER = "gantryFreshness";

    public FreshRoute {
        heard = Tables.frozen(heard);
    }

    public static FreshRoute fromJson(Json json) throws JsonFault {
        return new FreshRoute(
                TopicRoute.fromJson(json), Tables.byName(json.asObject("a route"), MEMBER, FreshRoute::heardById));
    }

    private static SortedMap<Long, Heard> heardById(Json json) throws JsonFault {
        JsonObject table = json.asObject("when the processes of a broker were heard");
        SortedMap<Long, Heard> byId = new TreeMap<>();
        for (int i = 0; i < table.size(); i++) {
            byId.put(table.key(i).asWhole("a broker id"), Heard.fromJson(table.value(i)));
        }
        return byId;
    }

    @Override
    public void write(JsonWriter out) {
        out.beginObject();
        route.writeMembers(out);
        out.name(MEMBER).beginObject();
        heard.forEach((brokerName, byId) -> {
            out.name(brokerName).beginObject();
            byId.forEach((id, when) -> when.write(out.name(id)));
            out.endObject();
        });
        out.endObject().endObject();
    }
}
