package gantry.ops.cli;

import gantry.client.call.CallFailed;
import gantry.client.call.RemotingClient;
import gantry.client.route.Routes;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `deleteTopic`: deletes a topic with its messages, and what groups have consumed of it.
///
/// For:   topics that nobody needs any more.
/// Owner: the main thread.
@picocli.CommandLine.Command(
        name = "deleteTopic",
        mixinStandardHelpOptions = true,
        description = "Deletes a topic, its queues and the offsets of all groups on it.")
final class DeleteTopicCommand extends Tool {
    @Option(
            names = {"-t", "--topic"},
            required = true,
            description = "the topic")
    private String topic = "";

    @Mixin
    private final Masters masters = new Masters();

    @Override
    int run(RemotingClient client, Routes routes) throws CallFailed {
        Table table = new Table("where", "topic", "result");
        new TopicRemoval(client, masters, masters.find(routes), addresses()).run(topic, table);
        show(table);
        return DONE;
    }
}
