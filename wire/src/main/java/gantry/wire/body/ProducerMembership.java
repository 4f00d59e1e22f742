package gantry.wire.body;

import gantry.wire.json.Json;
import gantry.wire.json.JsonFault;
import gantry.wire.json.JsonWriter;

/// A client's producer group.
///
/// For:   heartbeats.
/// Owner: none (immutable).
public record ProducerMembership(String group) implements Body {
    public static ProducerMembership fromJson(Json json) throws JsonFault {
        return new ProducerMembership(json.asObject("a producer").requireText("groupName"));
    }

    @Override
    public void write(JsonWriter out) {
        out.beginObject().field("groupName", group).endObject();
    }
}
