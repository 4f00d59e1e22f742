package gantry.ops.cli;

import gantry.base.Endpoint;
import gantry.client.call.CallFailed;
import gantry.client.call.RemotingClient;
import gantry.wire.frame.Command;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.RequestCodes;
import java.time.Duration;
import java.util.List;

/// Deletes a topic on brokers, then at nameservers.
///
/// For:   `deleteTopic`, and the topics of a deleted group.
/// Owner: the main thread.
/// Never: the other way round: a broker that still has the topic would bring it back.
final class TopicRemoval {
    /// A broker answers when no crash can bring the topic back; its disk may be slow.
    static final Duration PATIENCE = Duration.ofSeconds(30);

    private final RemotingClient client;
    private final Masters masters;
    private final List<Endpoint> brokers;
    private final List<Endpoint> nameservers;

    TopicRemoval(RemotingClient client, Masters masters, List<Endpoint> brokers, List<Endpoint> nameservers) {
        this.client = client;
        this.masters = masters;
        this.brokers = brokers;
        this.nameservers = nameservers;
    }

    void run(String topic, Table table) throws CallFailed {
        for (Endpoint broker : brokers) {
            client.callOk(
                    broker,
                    Command.request(RequestCodes.DELETE_TOPIC_IN_BROKER).with(FieldNames.TOPIC, topic),
                    PATIENCE);
            table.row("broker " + broker, topic, "deleted");
        }
        if (!masters.areAll()) {
            return;
        }
        for (Endpoint nameserver : nameservers) {
            Command request =
                    Command.request(RequestCodes.DELETE_TOPIC_IN_NAMESRV).with(FieldNames.TOPIC, topic);
            String cluster = masters.cluster();
            client.callOk(
                    nameserver,
                    cluster == null ? request : request.with(FieldNames.CLUSTER_NAME, cluster),
                    Tool.PATIENCE);
            table.row("nameserver " + nameserver, topic, "deleted");
        }
    }
}
