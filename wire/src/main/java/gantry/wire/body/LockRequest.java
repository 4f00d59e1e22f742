package gantry.wire.body;

import gantry.wire.json.Json;
import gantry.wire.json.JsonFault;
import gantry.wire.json.JsonObject;
import gantry.wire.json.JsonWriter;
import java.util.List;

/// A client wants queues for itself, or gives them back.
///
/// For:   codes 41 and 42.
/// Owner: none (immutable).
public record LockRequest(String clientId, String group, List<MessageQueueRef> queues, boolean onlyThisBroker)
        implements Body {
    public LockRequest {
        queues = List.copyOf(queues);
    }

    public static LockRequest fromJson(Json json) throws JsonFault {
        JsonObject object = json.asObject("a lock request");
        return new LockRequest(
                object.requireText("clientId"),
                object.requireText("consumerGroup"),
                Tables.list(object, "mqSet", MessageQueueRef::fromJson),
                object.flag("onlyThisBroker", false));
    }

    @Override
    public void write(JsonWriter out) {
        out.beginObject().field("clientId", clientId).field("consumerGroup", group);
        Tables.write(out, "mqSet", queues);
        out.field("onlyThisBroker", onlyThisBroker).endObject();
    }
}
