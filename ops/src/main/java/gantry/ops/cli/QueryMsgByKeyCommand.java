package gantry.ops.cli;

import gantry.client.call.CallFailed;
import gantry.client.call.RemotingClient;
import gantry.client.route.Routes;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `queryMsgByKey`: the messages with a key.
///
/// For:   finding what was sent about one order, one user, one of anything.
/// Owner: the main thread.
@Command(
        name = "queryMsgByKey",
        mixinStandardHelpOptions = true,
        description = "Shows the messages of a topic that have a key, the newest of each broker first.")
final class QueryMsgByKeyCommand extends QueryTool {
    @Option(
            names = {"-t", "--topic"},
            required = true,
            description = "the topic")
    private String topic = "";

    @Option(
            names = {"-k", "--msgKey"},
            required = true,
            description = "one of the words of the messages' keys")
    private String key = "";

    @Option(
            names = {"-b", "--beginTimestamp"},
            paramLabel = "TIME",
            converter = WallTime.Reader.class,
            description = WallTime.FORMS + ": only messages stored then or later")
    private @Nullable WallTime begin;

    @Option(
            names = {"-e", "--endTimestamp"},
            paramLabel = "TIME",
            converter = WallTime.Reader.class,
            description = "only messages stored until then")
    private @Nullable WallTime end;

    @Option(
            names = {"-m", "--maxNum"},
            defaultValue = "64",
            description = "at most so many of each broker, and 64 (${DEFAULT-VALUE})")
    private int most;

    @Override
    int run(RemotingClient client, Routes routes) throws CallFailed {
        return showAll(
                client,
                route(routes, topic),
                byKey(
                        topic,
                        key,
                        most,
                        begin == null ? 0 : begin.millis(),
                        end == null ? Long.MAX_VALUE : end.millis()));
    }
}
