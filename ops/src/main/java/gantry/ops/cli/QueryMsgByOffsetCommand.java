package gantry.ops.cli;

import gantry.base.Endpoint;
import gantry.client.call.CallFailed;
import gantry.client.call.RemotingClient;
import gantry.client.route.Routes;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.RequestCodes;
import gantry.wire.frame.ResponseCodes;
import gantry.wire.header.PullFlags;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `queryMsgByOffset`: the message at a place of a queue.
///
/// For:   looking at the message at which a consumer is stuck.
/// Owner: the main thread.
@Command(
        name = "queryMsgByOffset",
        mixinStandardHelpOptions = true,
        description = {
            "Shows the message at an offset of a queue: -o OFFSET, as in mqadmin.",
            "-o json shows it as JSON."
        })
final class QueryMsgByOffsetCommand extends QueryTool {
    @Option(
            names = {"-t", "--topic"},
            required = true,
            description = "the topic")
    private String topic = "";

    @Option(
            names = {"-b", "--brokerName"},
            required = true,
            description = "the broker")
    private String brokerName = "";

    @Option(
            names = {"-i", "--queueId"},
            required = true,
            description = "the queue")
    private int queueId;

    private @Nullable Long offset;

    @Override
    boolean takesAsItsOwn(String value) {
        if (!value.matches("[0-9]{1,18}")) {
            return false;
        }
        offset = Long.valueOf(value);
        return true;
    }

    @Override
    int run(RemotingClient client, Routes routes) throws CallFailed {
        Long wanted = offset;
        if (wanted == null) {
            throw CallFailed.because("which offset? Say -o OFFSET");
        }
        Endpoint master = Routes.master(route(routes, topic), brokerName);
        if (master == null) {
            throw CallFailed.because("broker " + brokerName + " has no master with topic \"" + topic
                    + "\": topicRoute shows who has it");
        }
        var answer = client.call(
                master,
                gantry.wire.frame.Command.request(RequestCodes.PULL_MESSAGE)
                        .with(FieldNames.CONSUMER_GROUP, "TOOLS_CONSUMER")
                        .with(FieldNames.TOPIC, topic)
                        .with(FieldNames.QUEUE_ID, queueId)
                        .with(FieldNames.QUEUE_OFFSET, wanted)
                        .with(FieldNames.MAX_MSG_NUMS, 1)
                        .with(FieldNames.SYS_FLAG, PullFlags.SUBSCRIPTION)
                        .with(FieldNames.COMMIT_OFFSET, 0)
                        .with(FieldNames.SUSPEND_TIMEOUT_MILLIS, 0)
                        .with(FieldNames.SUBSCRIPTION, "*")
                        .with(FieldNames.SUB_VERSION, 0),
                PATIENCE);
        if (answer.code() != ResponseCodes.SUCCESS) {
            throw CallFailed.because("queue " + queueId + " of " + brokerName + " has no message at offset " + wanted
                    + ": it holds " + answer.field(FieldNames.MIN_OFFSET) + " to (exclusive) "
                    + answer.field(FieldNames.MAX_OFFSET) + " (code " + answer.code() + ")");
        }
        Found found = new Found();
        found.add(master, brokerName, answer.body());
        show(found);
        return DONE;
    }
}
