package gantry.ops.cli;

import gantry.base.Endpoint;
import gantry.client.call.CallFailed;
import gantry.client.call.RemotingClient;
import gantry.client.route.Routes;
import gantry.wire.frame.Command;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.RequestCodes;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/// `deleteSubGroup`: deletes a consumer group, its offsets, its retry topic and its dead letters; or, with `-t`, only
/// what it has consumed of one topic.
///
/// For:   groups that nobody needs any more, and groups that shall begin a topic anew.
/// Owner: the main thread.
@picocli.CommandLine.Command(
        name = "deleteSubGroup",
        mixinStandardHelpOptions = true,
        description = "Deletes a consumer group, its offsets, its retry topic and its dead letters.")
final class DeleteSubGroupCommand extends Tool {
    @Option(
            names = {"-g", "--groupName"},
            required = true,
            description = "the group")
    private String group = "";

    @Option(
            names = {"-t", "--topic"},
            description = "forget only what the group has consumed of this topic (Gantry's brokers only)")
    private @Nullable String topic;

    @Option(
            names = {"-r", "--removeOffset"},
            arity = "0..1",
            fallbackValue = "true",
            defaultValue = "true",
            description = "RocketMQ's brokers remove the offsets too (${DEFAULT-VALUE}); Gantry's always do")
    private boolean removeOffset;

    @Mixin
    private final Masters masters = new Masters();

    @Override
    int run(RemotingClient client, Routes routes) throws CallFailed {
        Table table = new Table("where", "what", "result");
        List<Endpoint> brokers = masters.find(routes);
        String only = topic;
        for (Endpoint broker : brokers) {
            client.callOk(broker, only == null ? whole() : ofTopic(only), TopicRemoval.PATIENCE);
            table.row("broker " + broker, only == null ? group : group + " on " + only, "deleted");
        }
        if (only == null) {
            TopicRemoval removal = new TopicRemoval(client, masters, brokers, addresses());
            removal.run("%RETRY%" + group, table);
            removal.run("%DLQ%" + group, table);
        }
        show(table);
        return DONE;
    }

    private Command whole() {
        return Command.request(RequestCodes.DELETE_SUBSCRIPTIONGROUP)
                .with(FieldNames.GROUP_NAME, group)
                .with(FieldNames.CLEAN_OFFSET, removeOffset);
    }

    private Command ofTopic(String only) {
        return Command.request(RequestCodes.GANTRY_CLEAN_TOPIC_OF_GROUP)
                .with(FieldNames.CONSUMER_GROUP, group)
                .with(FieldNames.TOPIC, only);
    }
}
