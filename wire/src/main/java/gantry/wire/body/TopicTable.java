package gantry.wire.body;

import gantry.wire.json.Json;
import gantry.wire.json.JsonFault;
import gantry.wire.json.JsonObject;
import gantry.wire.json.JsonWriter;
import java.util.Map;

/// All topics of a broker.
///
/// For:   the inner part of a registration, the answer to code 21, and `topics.json`.
/// Owner: none (immutable).
/// Never: the detail of static topics' mappings, which no part of Gantry makes.
///
/// @param topics by topic name
/// @param mappings of static topics, by topic name
public record TopicTable(
        DataVersion version,
        Map<String, TopicConfig> topics,
        DataVersion mappingVersion,
        Map<String, QueueMapping> mappings)
        implements Body {
    public static final TopicTable EMPTY = new TopicTable(DataVersion.NONE, Map.of());

    public TopicTable {
        topics = Tables.frozen(topics);
        mappings = mappings.isEmpty() ? Map.of() : Tables.frozen(mappings);
    }

    public TopicTable(DataVersion version, Map<String, TopicConfig> topics) {
        this(version, topics, DataVersion.NONE, Map.of());
    }

    public static TopicTable fromJson(Json json) throws JsonFault {
        JsonObject object = json.asObject("a table of topics");
        return new TopicTable(
                DataVersion.in(object, "dataVersion"),
                Tables.byName(object, "topicConfigTable", TopicConfig::fromJson),
                DataVersion.in(object, "mappingDataVersion"),
                Tables.byName(object, "topicQueueMappingInfoMap", QueueMapping::fromJson));
    }

    @Override
    public void write(JsonWriter out) {
        out.beginObject();
        version.write(out.name("dataVersion"));
        mappingVersion.write(out.name("mappingDataVersion"));
        Tables.write(out, "topicConfigTable", topics);
        out.name("topicQueueMappingDetailMap").beginObject().endObject();
        Tables.write(out, "topicQueueMappingInfoMap", mappings);
        out.endObject();
    }
}
