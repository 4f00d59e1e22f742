package gantry.ops.cli;

import gantry.base.Endpoint;
import gantry.client.CallFailed;
import gantry.client.RemotingClient;
import gantry.client.Routes;
import gantry.wire.body.BrokerAddresses;
import gantry.wire.body.ClusterInfo;
import gantry.wire.frame.Command;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.RequestCodes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// `updateTopic`: creates or changes a topic on one broker, or on every master of a cluster.
///
/// For:   topics that are not left to the first send.
/// Owner: the main thread.
@picocli.CommandLine.Command(
        name = "updateTopic",
        mixinStandardHelpOptions = true,
        description = "Creates or changes a topic.")
final class UpdateTopicCommand extends Tool {
    @Option(
            names = {"-t", "--topic"},
            required = true,
            description = "the topic")
    private String topic = "";

    @Option(
            names = {"-b", "--brokerAddr"},
            description = "on this broker, HOST:PORT")
    private @Nullable String broker;

    @Option(
            names = {"-c", "--clusterName"},
            description = "on every master of this cluster (all clusters, without -b and -c)")
    private @Nullable String cluster;

    @Option(
            names = {"-r", "--readQueueNums"},
            defaultValue = "8",
            description = "queues to read (${DEFAULT-VALUE})")
    private int readQueues;

    @Option(
            names = {"-w", "--writeQueueNums"},
            defaultValue = "8",
            description = "queues to write (${DEFAULT-VALUE})")
    private int writeQueues;

    @Option(
            names = {"-p", "--perm"},
            defaultValue = "6",
            description = "2 write, 4 read, 6 both (${DEFAULT-VALUE})")
    private int permission;

    @Override
    int run(RemotingClient client, Routes routes) throws CallFailed {
        Table table = new Table("broker", "result");
        List<Endpoint> masters = broker == null ? masters(routes) : List.of(Endpoint.parse(broker));
        if (masters.isEmpty()) {
            throw CallFailed.because(
                    "no master broker" + (cluster == null ? "" : " of cluster \"" + cluster + "\"") + " is registered");
        }
        for (Endpoint master : masters) {
            client.callOk(
                    master,
                    Command.request(RequestCodes.UPDATE_AND_CREATE_TOPIC)
                            .with(FieldNames.TOPIC, topic)
                            .with(FieldNames.DEFAULT_TOPIC, Routes.DEFAULT_TOPIC)
                            .with(FieldNames.READ_QUEUE_NUMS, readQueues)
                            .with(FieldNames.WRITE_QUEUE_NUMS, writeQueues)
                            .with(FieldNames.PERM, permission)
                            .with(FieldNames.TOPIC_FILTER_TYPE, "SINGLE_TAG")
                            .with(FieldNames.TOPIC_SYS_FLAG, 0)
                            .with(FieldNames.ORDER, false),
                    PATIENCE);
            table.row(master, "done");
        }
        show(table);
        return DONE;
    }

    private List<Endpoint> masters(Routes routes) throws CallFailed {
        ClusterInfo clusters = ClusterListCommand.clusters(routes);
        List<Endpoint> masters = new ArrayList<>();
        for (BrokerAddresses known : clusters.brokers().values()) {
            String address = known.addresses().get(BrokerAddresses.MASTER_ID);
            if (address != null && (cluster == null || known.cluster().equals(cluster))) {
                masters.add(Endpoint.parse(address));
            }
        }
        return masters;
    }
}
