package gantry.ops.cli;

import gantry.base.Endpoint;
import gantry.client.call.CallFailed;
import gantry.client.call.RemotingClient;
import gantry.client.route.Routes;
import gantry.wire.frame.Command;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.RequestCodes;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
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

    @Mixin
    private final Masters masters = new Masters();

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

    @Option(
            names = {"-a", "--attributes"},
            description = "+key=value,-key; reserve.time: hours that messages are kept, -1 for as long as the log does")
    private @Nullable String attributes;

    @Override
    int run(RemotingClient client, Routes routes) throws CallFailed {
        Table table = new Table("broker", "result");
        for (Endpoint master : masters.find(routes)) {
            Command request = Command.request(RequestCodes.UPDATE_AND_CREATE_TOPIC)
                    .with(FieldNames.TOPIC, topic)
                    .with(FieldNames.DEFAULT_TOPIC, Routes.DEFAULT_TOPIC)
                    .with(FieldNames.READ_QUEUE_NUMS, readQueues)
                    .with(FieldNames.WRITE_QUEUE_NUMS, writeQueues)
                    .with(FieldNames.PERM, permission)
                    .with(FieldNames.TOPIC_FILTER_TYPE, "SINGLE_TAG")
                    .with(FieldNames.TOPIC_SYS_FLAG, 0)
                    .with(FieldNames.ORDER, false);
            client.callOk(
                    master, attributes == null ? request : request.with(FieldNames.ATTRIBUTES, attributes), PATIENCE);
            table.row(master, "done");
        }
        show(table);
        return DONE;
    }
}
