package gantry.wire.body;

import gantry.wire.json.Json;
import gantry.wire.json.JsonFault;
import gantry.wire.json.JsonObject;
import gantry.wire.json.JsonWriter;
import java.util.List;
import java.util.Map;

/// All brokers that a nameserver knows.
///
/// For:   code 106.
/// Owner: none (immutable).
///
/// @param brokers by broker name
/// @param clusters cluster name → broker names
public record ClusterInfo(Map<String, BrokerAddresses> brokers, Map<String, List<String>> clusters) implements Body {
    public ClusterInfo {
        brokers = Tables.frozen(brokers);
        clusters = Tables.frozen(clusters);
    }

    public static ClusterInfo fromJson(Json json) throws JsonFault {
        JsonObject object = json.asObject("a cluster table");
        return new ClusterInfo(
                Tables.byName(object, "brokerAddrTable", BrokerAddresses::fromJson),
                Tables.byName(object, "clusterAddrTable", names -> names.asTexts("clusterAddrTable")));
    }

    @Override
    public void write(JsonWriter out) {
        out.beginObject();
        Tables.write(out, "brokerAddrTable", brokers);
        out.name("clusterAddrTable").beginObject();
        clusters.forEach(out::field);
        out.endObject().endObject();
    }
}
