package gantry.ops.cli;

import gantry.client.call.CallFailed;
import gantry.client.call.RemotingClient;
import gantry.client.route.Routes;
import gantry.wire.frame.FieldNames;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `queryMsgByUniqueKey`: the message with the id that its sender was told.
///
/// For:   finding out what became of a send.
/// Owner: the main thread.
@Command(
        name = "queryMsgByUniqueKey",
        mixinStandardHelpOptions = true,
        description = "Shows the message with a unique key, the msgId that a producer sees; copies of it too.")
final class QueryMsgByUniqueKeyCommand extends QueryTool {
    private static final int MOST_COPIES = 32;

    @Option(
            names = {"-i", "--msgId"},
            required = true,
            description = "the message's unique key")
    private String id = "";

    @Option(
            names = {"-t", "--topic"},
            required = true,
            description = "the topic")
    private String topic = "";

    @Override
    int run(RemotingClient client, Routes routes) throws CallFailed {
        return showAll(
                client,
                route(routes, topic),
                byKey(topic, id, MOST_COPIES, 0, Long.MAX_VALUE).with(FieldNames.UNIQUE_KEY_QUERY, true));
    }
}
