package gantry.broker.facts;

import gantry.wire.body.SubscriptionGroup;
import gantry.wire.body.TopicConfig;
import gantry.wire.json.Dialect;
import gantry.wire.json.Json;
import gantry.wire.json.JsonFault;
import gantry.wire.json.JsonObject;
import gantry.wire.json.JsonWriter;
import java.util.Map;
import java.util.TreeMap;

/// Something the broker has to remember, as an absolute value: taking it in twice changes nothing.
///
/// For:   the body of a record of the facts topic (design page 001 §3).
/// Owner: none (immutable).
/// Never: differences ("plus one").
///
/// ```
///   {"fact":"topic","config":{…TopicConfig…}}            {"fact":"topicGone","topic":"T"}
///   {"fact":"group","config":{…SubscriptionGroup…}}      {"fact":"groupGone","group":"G"}
///   {"fact":"offsets","group":"G","offsets":{0:5,1:7},"topic":"T"}
///   {"fact":"offsetsGone","group":"G","topic":"T"}
///   {"fact":"delay","level":3,"offset":17}
///   {"fact":"adopted"}
///   {"fact":"offsetsGone","group":"","state":"point","topic":""}
///   {"fact":"offsetsGone","group":"","state":"told","topic":"","point":61,
///    "topics":"9f…","groups":"03…","offsets":"c7…","delays":"e1…"}
/// ```
/// A version that does not know a word stops folding there. So the last two, which change nothing, use one that every
/// version knows, of a group and a topic that cannot be.
public sealed interface Fact {
    String POINT = "point";
    String TOLD = "told";

    record TopicSet(TopicConfig config) implements Fact {}

    record TopicGone(String topic) implements Fact {}

    record GroupSet(SubscriptionGroup group) implements Fact {}

    record GroupGone(String group) implements Fact {}

    /// Consumed offsets of one group on one topic.
    record Offsets(String group, String topic, Map<Integer, Long> offsets) implements Fact {}

    /// What one group has consumed of one topic is not remembered any more.
    record OffsetsGone(String group, String topic) implements Fact {}

    /// How far the queue of one delay level has been delivered.
    record DelayProgress(int level, long offset) implements Fact {}

    /// State that stands in no fact was taken over from RocketMQ's files here, so facts alone are not all there is.
    record Adopted() implements Fact {}

    /// Here every member takes a digest of what it has folded.
    record StatePoint() implements Fact {}

    /// What the leader's state was at a point before.
    ///
    /// @param point its queueOffset in the facts queue
    record StateTold(long point, StateDigest digest) implements Fact {}

    /// The word that says which fact it is; also the record's tag.
    default String kind() {
        return switch (this) {
            case TopicSet _ -> "topic";
            case TopicGone _ -> "topicGone";
            case GroupSet _ -> "group";
            case GroupGone _ -> "groupGone";
            case Offsets _ -> "offsets";
            case OffsetsGone _ -> "offsetsGone";
            case DelayProgress _ -> "delay";
            case Adopted _ -> "adopted";
            case StatePoint _, StateTold _ -> "offsetsGone";
        };
    }

    default String toJson() {
        JsonWriter writer = new JsonWriter(Dialect.PEER).beginObject().field("fact", kind());
        switch (this) {
            case TopicSet set -> set.config.write(writer.name("config"));
            case TopicGone gone -> writer.field("topic", gone.topic);
            case GroupSet set -> set.group.write(writer.name("config"));
            case GroupGone gone -> writer.field("group", gone.group);
            case Offsets offsets -> {
                writer.field("group", offsets.group).name("offsets").beginObject();
                offsets.offsets.forEach(
                        (queueId, offset) -> writer.name(queueId).whole(offset));
                writer.endObject().field("topic", offsets.topic);
            }
            case OffsetsGone gone -> writer.field("group", gone.group).field("topic", gone.topic);
            case DelayProgress delay -> writer.field("level", delay.level).field("offset", delay.offset);
            case Adopted _ -> {}
            case StatePoint _ -> writer.field("group", "").field("state", POINT).field("topic", "");
            case StateTold told ->
                writer.field("group", "")
                        .field("state", TOLD)
                        .field("topic", "")
                        .field("point", told.point)
                        .field("topics", told.digest.topics())
                        .field("groups", told.digest.groups())
                        .field("offsets", told.digest.offsets())
                        .field("delays", told.digest.delays());
        }
        return writer.endObject().toString();
    }

    static Fact fromJson(byte[] body) throws JsonFault {
        JsonObject object = Json.read(body).asObject("a fact");
        String kind = object.requireText("fact");
        return switch (kind) {
            case "topic" -> new TopicSet(TopicConfig.fromJson(object.object("config")));
            case "topicGone" -> new TopicGone(object.requireText("topic"));
            case "group" -> new GroupSet(SubscriptionGroup.fromJson(object.object("config")));
            case "groupGone" -> new GroupGone(object.requireText("group"));
            case "offsets" -> {
                JsonObject table = object.object("offsets");
                Map<Integer, Long> offsets = new TreeMap<>();
                for (int i = 0; i < table.size(); i++) {
                    offsets.put(table.key(i).asInt("a queue id"), table.value(i).asWhole("an offset"));
                }
                yield new Offsets(object.requireText("group"), object.requireText("topic"), offsets);
            }
            case "offsetsGone" ->
                switch (object.text("state", "")) {
                    case POINT -> new StatePoint();
                    case TOLD ->
                        new StateTold(
                                object.whole("point", -1L),
                                new StateDigest(
                                        object.requireText("topics"),
                                        object.requireText("groups"),
                                        object.requireText("offsets"),
                                        object.requireText("delays")));
                    default -> new OffsetsGone(object.requireText("group"), object.requireText("topic"));
                };
            case "delay" -> new DelayProgress(object.whole("level", 0), object.whole("offset", 0L));
            case "adopted" -> new Adopted();
            default -> throw JsonFault.of("the fact \"" + kind + "\" is not known here");
        };
    }
}
