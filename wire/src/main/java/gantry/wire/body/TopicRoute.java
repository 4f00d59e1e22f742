package gantry.wire.body;

import gantry.wire.json.Json;
import gantry.wire.json.JsonFault;
import gantry.wire.json.JsonObject;
import gantry.wire.json.JsonWriter;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Where a topic is: its queues, and the addresses of the brokers that have them.
///
/// For:   the answer to a route request.
/// Owner: none (immutable).
///
/// @param filterServers legacy: broker address → filter servers
/// @param orderConf `broker:queues;…` of an ordered topic
/// @param mappings of a static topic, by broker name; empty for all others
public record TopicRoute(
        List<QueueLayout> queues,
        List<BrokerAddresses> brokers,
        Map<String, List<String>> filterServers,
        @Nullable String orderConf,
        Map<String, QueueMapping> mappings)
        implements Body {
    public TopicRoute {
        queues = List.copyOf(queues);
        brokers = List.copyOf(brokers);
        filterServers = Tables.frozen(filterServers);
        mappings = Tables.frozen(mappings);
    }

    public TopicRoute(List<QueueLayout> queues, List<BrokerAddresses> brokers) {
        this(queues, brokers, Map.of(), null, Map.of());
    }

    public static TopicRoute fromJson(Json json) throws JsonFault {
        JsonObject object = json.asObject("a route");
        return new TopicRoute(
                Tables.list(object, "queueDatas", QueueLayout::fromJson),
                Tables.list(object, "brokerDatas", BrokerAddresses::fromJson),
                Tables.byName(object, "filterServerTable", servers -> servers.asTexts("filterServerTable")),
                object.text("orderTopicConf"),
                Tables.byName(object, "topicQueueMappingByBroker", QueueMapping::fromJson));
    }

    @Override
    public void write(JsonWriter out) {
        out.beginObject();
        writeMembers(out);
        out.endObject();
    }

    /// All but the braces, for a body with more in it.
    void writeMembers(JsonWriter out) {
        Tables.write(out, "brokerDatas", brokers);
        out.name("filterServerTable").beginObject();
        filterServers.forEach(out::field);
        out.endObject().field("orderTopicConf", orderConf);
        Tables.write(out, "queueDatas", queues);
        if (!mappings.isEmpty()) {
            Tables.write(out, "topicQueueMappingByBroker", mappings);
        }
    }
}
