package gantry.wire.body;

import gantry.wire.json.Json;
import gantry.wire.json.JsonFault;
import gantry.wire.json.JsonObject;
import gantry.wire.json.JsonWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// What a group wants of a topic.
///
/// For:   heartbeats, and the check of a client's configuration.
/// Owner: none (immutable).
///
/// @param expression `*`, or tags as `A || B`, or an expression of the type
/// @param tags of the expression, none for `*`
/// @param tagCodes the Java hash code of each tag
/// @param version when the subscription was made; a newer one replaces an older one
public record Subscription(
        String topic,
        String expression,
        String expressionType,
        List<String> tags,
        List<Integer> tagCodes,
        long version,
        boolean classFilter)
        implements Body {
    public static final String TAG = "TAG";
    public static final String SQL92 = "SQL92";
    public static final String ALL = "*";

    public Subscription {
        tags = List.copyOf(tags);
        tagCodes = List.copyOf(tagCodes);
    }

    /// A subscription by tags, as `A||B` or `*`.
    public static Subscription byTags(String topic, String expression, long version) {
        List<String> tags = expression.isBlank() || expression.equals(ALL)
                ? List.of()
                : Arrays.stream(expression.split("\\|\\|"))
                        .map(String::strip)
                        .filter(tag -> !tag.isEmpty())
                        .distinct()
                        .toList();
        List<Integer> codes = tags.stream().map(String::hashCode).distinct().toList();
        return new Subscription(topic, expression.isBlank() ? ALL : expression, TAG, tags, codes, version, false);
    }

    public boolean isByTag() {
        return expressionType.equals(TAG);
    }

    public static Subscription fromJson(Json json) throws JsonFault {
        JsonObject object = json.asObject("a subscription");
        List<Integer> codes = new ArrayList<>();
        for (Json code : object.array("codeSet")) {
            codes.add(code.asInt("codeSet"));
        }
        return new Subscription(
                object.requireText("topic"),
                object.text("subString", ALL),
                object.text("expressionType", TAG),
                object.texts("tagsSet"),
                codes,
                object.whole("subVersion", 0L),
                object.flag("classFilterMode", false));
    }

    @Override
    public void write(JsonWriter out) {
        out.beginObject().field("classFilterMode", classFilter).name("codeSet").beginArray();
        tagCodes.forEach(out::whole);
        out.endArray()
                .field("expressionType", expressionType)
                .field("subString", expression)
                .field("subVersion", version)
                .field("tagsSet", tags)
                .field("topic", topic)
                .endObject();
    }
}
