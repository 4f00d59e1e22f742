package gantry.ops.cli;

import gantry.base.Endpoint;
import gantry.client.call.CallFailed;
import gantry.client.call.RemotingClient;
import gantry.client.route.Routes;
import gantry.wire.body.QueueLayout;
import gantry.wire.body.TopicRoute;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `topicRoute`: which brokers have a topic, with how many queues.
///
/// For:   seeing what a client sees.
/// Owner: the main thread.
@Command(name = "topicRoute", mixinStandardHelpOptions = true, description = "Shows where a topic's queues are.")
final class TopicRouteCommand extends Tool {
    @Option(
            names = {"-t", "--topic"},
            required = true,
            description = "the topic")
    private String topic = "";

    @Override
    int run(RemotingClient client, Routes routes) throws CallFailed {
        TopicRoute route = routes.find(topic, PATIENCE);
        if (route == null) {
            throw CallFailed.because("topic \"" + topic + "\" does not exist: topicList shows those that do");
        }
        Table table = new Table("broker", "master", "readQueues", "writeQueues", "perm");
        for (QueueLayout layout : route.queues()) {
            Endpoint master = Routes.master(route, layout.brokerName());
            table.row(
                    layout.brokerName(),
                    master == null ? "none" : master,
                    layout.readQueues(),
                    layout.writeQueues(),
                    layout.permission());
        }
        show(table);
        return DONE;
    }
}
