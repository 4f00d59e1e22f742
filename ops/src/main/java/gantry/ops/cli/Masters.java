package gantry.ops.cli;

import gantry.base.Endpoint;
import gantry.client.call.CallFailed;
import gantry.client.route.Routes;
import gantry.wire.body.BrokerAddresses;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Which brokers a command is for: one, or the masters of one cluster or of all.
///
/// For:   mqadmin's `-b` and `-c`.
/// Owner: the main thread.
final class Masters {
    @Option(
            names = {"-b", "--brokerAddr"},
            description = "on this broker, HOST:PORT")
    private @Nullable String broker;

    @Option(
            names = {"-c", "--clusterName"},
            description = "on every master of this cluster (all clusters, without -b and -c)")
    private @Nullable String cluster;

    @Nullable
    String cluster() {
        return cluster;
    }

    /// Whether all masters are meant that the nameservers know, or all of one cluster.
    boolean areAll() {
        return broker == null;
    }

    /// @return at least one
    List<Endpoint> find(Routes routes) throws CallFailed {
        if (broker != null) {
            try {
                return List.of(Endpoint.parse(broker));
            } catch (IllegalArgumentException e) {
                throw CallFailed.because("-b " + broker + " is no broker's address: " + e.getMessage()
                        + "; clusterList shows the addresses");
            }
        }
        List<Endpoint> masters = new ArrayList<>();
        for (BrokerAddresses known :
                ClusterListCommand.clusters(routes).brokers().values()) {
            String address = known.addresses().get(BrokerAddresses.MASTER_ID);
            if (address != null && (cluster == null || known.cluster().equals(cluster))) {
                masters.add(Endpoint.parse(address));
            }
        }
        if (masters.isEmpty()) {
            throw CallFailed.because(
                    "no master broker" + (cluster == null ? "" : " of cluster \"" + cluster + "\"") + " is registered");
        }
        return masters;
    }
}
