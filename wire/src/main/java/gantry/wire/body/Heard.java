package gantry.wire.body;

import gantry.wire.json.Json;
import gantry.wire.json.JsonFault;
import gantry.wire.json.JsonObject;
import gantry.wire.json.JsonWriter;

/// When a nameserver heard a broker process last; ours, RocketMQ has no such thing.
///
/// For:   telling a fresh route from an old one.
/// Owner: none (immutable).
///
/// @param millis how long ago, time in which the nameserver stood still included
/// @param suspect not heard for so long that nothing should be written there
public record Heard(long millis, boolean suspect) implements Body {
    public static Heard fromJson(Json json) throws JsonFault {
        JsonObject object = json.asObject("when a broker was heard");
        return new Heard(object.whole("heardMillis", Long.MAX_VALUE), object.flag("suspect", false));
    }

    @Override
    public void write(JsonWriter out) {
        out.beginObject().field("heardMillis", millis).field("suspect", suspect).endObject();
    }
}
