package gantry.ops.cli;

import gantry.base.Endpoint;
import gantry.client.call.CallFailed;
import gantry.client.route.Routes;
import gantry.wire.body.BrokerAddresses;
import gantry.wire.frame.Command;
import gantry.wire.frame.RequestCodes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `updateBrokerConfig`: changes one setting of running brokers.
///
/// For:   what can be changed without a restart; the broker says so of what cannot.
/// Owner: the main thread.
/// Never: all clusters at once; who changes something says where.
@picocli.CommandLine.Command(
        name = "updateBrokerConfig",
        mixinStandardHelpOptions = true,
        description = {
            "Changes a setting of a broker (-b) or of every master of a cluster (-c) until it ends.",
            "Set it in the broker's file too, if it should stay."
        })
final class UpdateBrokerConfigCommand extends BrokersCommand {
    @Mixin
    private final Masters masters = new Masters();

    @Option(
            names = {"-a", "--updateAllBroker"},
            description = "with -c: of its slaves too")
    private boolean slavesToo;

    @Option(
            names = {"-k", "--key"},
            required = true,
            description = "the setting's key, as in docs/configuration.md")
    private String key = "";

    @Option(
            names = {"-v", "--value"},
            required = true,
            description = "its new value")
    private String value = "";

    @Override
    List<Endpoint> brokers(Routes routes) throws CallFailed {
        if (masters.areAll() && masters.cluster() == null) {
            throw CallFailed.because(
                    "say which brokers are meant: -b HOST:PORT, or -c CLUSTER (clusterList shows both)");
        }
        if (!slavesToo || !masters.areAll()) {
            return masters.find(routes);
        }
        List<Endpoint> all = new ArrayList<>();
        for (BrokerAddresses known :
                ClusterListCommand.clusters(routes).brokers().values()) {
            if (known.cluster().equals(masters.cluster())) {
                known.addresses().values().forEach(address -> all.add(Endpoint.parse(address)));
            }
        }
        if (all.isEmpty()) {
            throw CallFailed.because("no broker of cluster \"" + masters.cluster() + "\" is registered");
        }
        return all;
    }

    @Override
    Command request() {
        return Command.request(RequestCodes.UPDATE_BROKER_CONFIG)
                .withBody((escaped(key) + "=" + escaped(value) + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /// So that whoever reads the line as a properties file reads what was given.
    private static String escaped(String text) {
        return text.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r");
    }

    @Override
    Table table() {
        return new Table("broker", "key", "value", "result");
    }

    @Override
    void rows(Table table, Endpoint broker, Command answer) {
        table.row(broker, key, value, "in force");
    }
}
