package gantry.wire.body;

import gantry.wire.json.Json;
import gantry.wire.json.JsonFault;
import gantry.wire.json.JsonObject;
import gantry.wire.json.JsonWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Names of topics.
///
/// For:   codes 206, 224, 304, 305 and 343.
/// Owner: none (immutable).
///
/// @param brokerAddress some broker that knows them; only in some answers
public record TopicList(List<String> topics, @Nullable String brokerAddress) implements Body {
    public TopicList {
        topics = List.copyOf(topics);
    }

    public static TopicList fromJson(Json json) throws JsonFault {
        JsonObject object = json.asObject("a list of topics");
        return new TopicList(object.texts("topicList"), object.text("brokerAddr"));
    }

    @Override
    public void write(JsonWriter out) {
        out.beginObject()
                .field("brokerAddr", brokerAddress)
                .field("topicList", topics)
                .endObject();
    }
}
