package gantry.wire.body;

import gantry.wire.json.Json;
import gantry.wire.json.JsonFault;
import gantry.wire.json.JsonWriter;
import java.util.List;

/// The queues that a client has for itself now.
///
/// For:   the answer to code 41.
/// Owner: none (immutable).
public record LockAnswer(List<MessageQueueRef> queues) implements Body {
    public LockAnswer {
        queues = List.copyOf(queues);
    }

    public static LockAnswer fromJson(Json json) throws JsonFault {
        return new LockAnswer(Tables.list(json.asObject("a lock answer"), "lockOKMQSet", MessageQueueRef::fromJson));
    }

    @Override
    public void write(JsonWriter out) {
        out.beginObject();
        Tables.write(out, "lockOKMQSet", queues);
        out.endObject();
    }
}
