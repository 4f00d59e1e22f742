package gantry.ops.cli;

import gantry.base.Endpoint;
import gantry.client.call.CallFailed;
import gantry.client.call.RemotingClient;
import gantry.client.route.Routes;
import gantry.wire.body.BrokerAddresses;
import gantry.wire.body.ClusterInfo;
import gantry.wire.body.KeyValueTable;
import gantry.wire.frame.Command;
import gantry.wire.frame.RequestCodes;
import gantry.wire.json.Json;
import gantry.wire.json.JsonFault;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// `clusterList`: every broker that the nameservers know, and how it says it is.
///
/// For:   the first look at a cluster.
/// Owner: the main thread.
@picocli.CommandLine.Command(
        name = "clusterList",
        mixinStandardHelpOptions = true,
        description = "Lists the brokers of all clusters.")
final class ClusterListCommand extends Tool {
    @Override
    int run(RemotingClient client, Routes routes) throws CallFailed {
        Table table = new Table("cluster", "broker", "brokerId", "address", "version", "state", "commitLogBytes");
        ClusterInfo clusters = clusters(routes);
        Map<Endpoint, Survey.Said> said = Survey.ask(
                client,
                clusters.brokers().values().stream()
                        .flatMap(broker -> broker.addresses().values().stream())
                        .map(Endpoint::parse)
                        .toList(),
                Command.request(RequestCodes.GET_BROKER_RUNTIME_INFO),
                PATIENCE);
        for (BrokerAddresses broker : clusters.brokers().values()) {
            broker.addresses().forEach((id, address) -> {
                Map<String, String> status = status(said.get(Endpoint.parse(address)));
                long bytes = whole(status, "commitLogMaxOffset") - whole(status, "commitLogMinOffset");
                table.row(
                        broker.cluster(),
                        broker.brokerName(),
                        id,
                        address,
                        status.getOrDefault("brokerVersionDesc", "?"),
                        status.isEmpty() ? "does not answer" : status.getOrDefault("gantry.state", "answers"),
                        status.isEmpty() ? "?" : bytes);
            });
        }
        show(table);
        return DONE;
    }

    static ClusterInfo clusters(Routes routes) throws CallFailed {
        Command answer = routes.ask(Command.request(RequestCodes.GET_BROKER_CLUSTER_INFO), PATIENCE);
        try {
            return ClusterInfo.fromJson(Json.read(answer.body()));
        } catch (JsonFault e) {
            throw Faults.unreadable("the nameserver's list of brokers", e);
        }
    }

    /// Empty when the broker does not answer.
    private static Map<String, String> status(Survey.@Nullable Said said) {
        if (!(said instanceof Survey.Said.Answer answer)) {
            return Map.of();
        }
        try {
            return KeyValueTable.fromJson(Json.read(answer.command().body())).table();
        } catch (JsonFault e) {
            return Map.of();
        }
    }

    private static long whole(Map<String, String> table, String key) {
        try {
            return Long.parseLong(table.getOrDefault(key, "0"));
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
