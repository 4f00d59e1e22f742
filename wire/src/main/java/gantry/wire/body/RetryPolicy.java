package gantry.wire.body;

import gantry.wire.json.Json;
import gantry.wire.json.JsonFault;
import gantry.wire.json.JsonObject;
import gantry.wire.json.JsonWriter;
import java.util.ArrayList;
import java.util.List;

/// How long a group waits before it sees a failed message again.
///
/// For:   subscription groups of 5.x.
/// Owner: none (immutable).
public sealed interface RetryPolicy extends Body {
    /// The delays that a broker has built in.
    RetryPolicy BUILT_IN = new Steps(List.of());

    /// One delay after the other; none listed means the broker's own.
    record Steps(List<Long> delaysMillis) implements RetryPolicy {
        public Steps {
            delaysMillis = List.copyOf(delaysMillis);
        }

        @Override
        public void write(JsonWriter out) {
            out.beginObject();
            if (!delaysMillis.isEmpty()) {
                out.name("customizedRetryPolicy").beginObject().name("next").beginArray();
                delaysMillis.forEach(out::whole);
                out.endArray().endObject();
            }
            out.field("type", "CUSTOMIZED").endObject();
        }
    }

    /// Each delay is the one before times `multiplier`.
    record Exponential(long initialMillis, long maxMillis, long multiplier) implements RetryPolicy {
        @Override
        public void write(JsonWriter out) {
            out.beginObject()
                    .name("exponentialRetryPolicy")
                    .beginObject()
                    .field("initial", initialMillis)
                    .field("max", maxMillis)
                    .field("multiplier", multiplier)
                    .endObject()
                    .field("type", "EXPONENTIAL")
                    .endObject();
        }
    }

    static RetryPolicy fromJson(Json json) throws JsonFault {
        JsonObject object = json.asObject("a retry policy");
        String type = object.text("type", "CUSTOMIZED");
        if (type.equals("EXPONENTIAL")) {
            JsonObject policy = object.object("exponentialRetryPolicy");
            return new Exponential(
                    policy.whole("initial", 5_000L), policy.whole("max", 7_200_000L), policy.whole("multiplier", 2L));
        }
        if (!type.equals("CUSTOMIZED")) {
            throw JsonFault.of("the retry policy " + JsonFault.quote(type) + " is not known here");
        }
        List<Long> delays = new ArrayList<>();
        for (Json delay : object.object("customizedRetryPolicy").array("next")) {
            delays.add(delay.asWhole("next"));
        }
        return new Steps(delays);
    }
}
