package gantry.broker.facts;

import gantry.store.FileId;
import gantry.wire.body.Body;
import gantry.wire.body.ConsumerOffsets;
import gantry.wire.body.DataVersion;
import gantry.wire.body.SubscriptionGroupTable;
import gantry.wire.body.TopicTable;
import gantry.wire.json.Json;
import gantry.wire.json.JsonFault;
import gantry.wire.json.JsonObject;
import gantry.wire.json.JsonWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/// The files of `config/` that carry the folded state, in RocketMQ's shapes (storage.md §7).
///
/// For:   what stands in which file, both ways.
/// Owner: none (immutable).
/// Never: the other files of `config/`; those are RocketMQ's and are left alone.
public enum StateFile {
    TOPICS("topics.json", "topicConfigTable"),
    GROUPS("subscriptionGroup.json", "subscriptionGroupTable"),
    OFFSETS("consumerOffset.json", ""),
    DELAY("delayOffset.json", "");

    private static final String OFFSET_TABLE = "offsetTable";

    private final String path;
    private final String entities;

    StateFile(String name, String entities) {
        this.path = "config/" + name;
        this.entities = entities;
    }

    public FileId file() {
        return new FileId(path);
    }

    /// The member whose values are things with settings, of which a newer RocketMQ may know more; empty when none.
    String entities() {
        return entities;
    }

    /// The file that holds what this fact says.
    public static StateFile of(Fact fact) {
        return switch (fact) {
            case Fact.TopicSet _, Fact.TopicGone _, Fact.Adopted _ -> TOPICS;
            case Fact.GroupSet _, Fact.GroupGone _ -> GROUPS;
            case Fact.Offsets _, Fact.OffsetsGone _, Fact.StatePoint _, Fact.StateTold _ -> OFFSETS;
            case Fact.DelayProgress _ -> DELAY;
        };
    }

    /// What the file says.
    List<Fact> facts(JsonObject content) throws JsonFault {
        List<Fact> facts = new ArrayList<>();
        switch (this) {
            case TOPICS ->
                TopicTable.fromJson(content).topics().values().forEach(topic -> facts.add(new Fact.TopicSet(topic)));
            case GROUPS ->
                SubscriptionGroupTable.fromJson(content)
                        .groups()
                        .values()
                        .forEach(group -> facts.add(new Fact.GroupSet(group)));
            case OFFSETS ->
                ConsumerOffsets.fromJson(content).offsets().forEach((key, queues) -> {
                    int at = key.indexOf(ConsumerOffsets.SEPARATOR);
                    if (at > 0) {
                        facts.add(new Fact.Offsets(key.substring(at + 1), key.substring(0, at), queues));
                    }
                });
            case DELAY -> {
                JsonObject table = content.object(OFFSET_TABLE);
                for (int i = 0; i < table.size(); i++) {
                    facts.add(new Fact.DelayProgress(
                            table.key(i).asInt("a delay level"), table.value(i).asWhole("an offset")));
                }
            }
        }
        return facts;
    }

    /// The members that we write, without the object around them.
    void write(JsonWriter out, State state, Rest rest) {
        DataVersion version = this == TOPICS ? state.topicVersion() : state.version();
        version.write(out.name("dataVersion"));
        switch (this) {
            case TOPICS -> writeEntities(out, state.topics(), rest);
            case GROUPS -> writeEntities(out, state.groups(), rest);
            case OFFSETS -> {
                writeTopicsOfGroups(out, state);
                out.name(OFFSET_TABLE).beginObject();
                state.offsets().forEach((key, queues) -> writeTable(out.name(key), queues));
                out.endObject();
            }
            case DELAY -> writeTable(out.name(OFFSET_TABLE), state.delay());
        }
        rest.members().forEach((name, value) -> out.name(name).value(value));
    }

    private void writeEntities(JsonWriter out, Map<String, ? extends Body> table, Rest rest) {
        out.name(entities).beginObject();
        table.forEach((name, entity) -> {
            Map<String, Json> more = rest.fieldsOf(name);
            if (more.isEmpty()) {
                entity.write(out.name(name));
            } else {
                Rest.writeWith(out.name(name), entity, more);
            }
        });
        out.endObject();
    }

    /// RocketMQ 5.5 keeps it beside the offsets.
    private static void writeTopicsOfGroups(JsonWriter out, State state) {
        Map<String, TreeSet<String>> topics = new TreeMap<>();
        state.offsets().keySet().forEach(key -> {
            int at = key.indexOf(ConsumerOffsets.SEPARATOR);
            topics.computeIfAbsent(key.substring(at + 1), _ -> new TreeSet<>()).add(key.substring(0, at));
        });
        out.name("groupTopicMap").beginObject();
        topics.forEach(out::field);
        out.endObject();
    }

    private static void writeTable(JsonWriter out, Map<Integer, Long> table) {
        out.beginObject();
        table.forEach((key, value) -> out.name(key).whole(value));
        out.endObject();
    }
}
