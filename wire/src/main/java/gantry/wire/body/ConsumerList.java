package gantry.wire.body;

import gantry.wire.json.Json;
import gantry.wire.json.JsonFault;
import gantry.wire.json.JsonWriter;
import java.util.List;

/// The clients of a consumer group.
///
/// For:   code 38.
/// Owner: none (immutable).
public record ConsumerList(List<String> clientIds) implements Body {
    public ConsumerList {
        clientIds = List.copyOf(clientIds);
    }

    public static ConsumerList fromJson(Json json) throws JsonFault {
        return new ConsumerList(json.asObject("a list of consumers").texts("consumerIdList"));
    }

    @Override
    public void write(JsonWriter out) {
        out.beginObject().field("consumerIdList", clientIds).endObject();
    }
}
