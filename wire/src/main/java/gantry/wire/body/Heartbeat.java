package gantry.wire.body;

import gantry.wire.json.Json;
import gantry.wire.json.JsonFault;
import gantry.wire.json.JsonObject;
import gantry.wire.json.JsonWriter;
import java.util.List;

/// What a client tells every broker it knows: who it is, and its groups.
///
/// For:   code 34.
/// Owner: none (immutable).
///
/// @param fingerprint of the subscriptions; 0 from clients that always send them
/// @param withoutSubscriptions they are left out because the broker has seen the fingerprint
public record Heartbeat(
        String clientId,
        List<ProducerMembership> producers,
        List<ConsumerMembership> consumers,
        int fingerprint,
        boolean withoutSubscriptions)
        implements Body {
    public Heartbeat {
        producers = List.copyOf(producers);
        consumers = List.copyOf(consumers);
    }

    public static Heartbeat fromJson(Json json) throws JsonFault {
        JsonObject object = json.asObject("a heartbeat");
        return new Heartbeat(
                object.requireText("clientID"),
                Tables.list(object, "producerDataSet", ProducerMembership::fromJson),
                Tables.list(object, "consumerDataSet", ConsumerMembership::fromJson),
                object.whole("heartbeatFingerprint", 0),
                object.flag("withoutSub", false));
    }

    @Override
    public void write(JsonWriter out) {
        out.beginObject().field("clientID", clientId);
        Tables.write(out, "consumerDataSet", consumers);
        out.field("heartbeatFingerprint", fingerprint);
        Tables.write(out, "producerDataSet", producers);
        out.field("withoutSub", withoutSubscriptions).endObject();
    }
}
