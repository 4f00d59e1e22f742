package gantry.ops.cli;

import gantry.base.Endpoint;
import gantry.client.call.CallFailed;
import gantry.client.call.RemotingClient;
import gantry.client.route.Routes;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.RequestCodes;
import gantry.wire.message.OffsetMessageId;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `queryMsgById`: the message at the place that its offset id names.
///
/// For:   looking at one message of one broker.
/// Owner: the main thread.
@Command(
        name = "queryMsgById",
        mixinStandardHelpOptions = true,
        description = {
            "Shows the message with an offset id, which names a broker's address and a place in its commit log.",
            "For the msgId that a producer sees there is queryMsgByUniqueKey."
        })
final class QueryMsgByIdCommand extends QueryTool {
    @Option(
            names = {"-i", "--msgId"},
            required = true,
            description = "the offset id, 32 or 56 hexadecimal digits")
    private String id = "";

    @Option(
            names = {"-t", "--topic"},
            description = "the topic, as mqadmin asks for it; the id alone is enough")
    private @Nullable String topic;

    @Override
    int run(RemotingClient client, Routes routes) throws CallFailed {
        OffsetMessageId place = OffsetMessageId.parse(id);
        if (place == null) {
            throw CallFailed.because("\"" + id + "\" is no offset id: it has 32 or 56 hexadecimal digits, and names a"
                    + " broker's address");
        }
        Endpoint broker = place.host().endpoint();
        var request = gantry.wire.frame.Command.request(RequestCodes.VIEW_MESSAGE_BY_ID)
                .with(FieldNames.OFFSET, place.logOffset());
        Found found = new Found();
        found.add(
                broker,
                broker.toString(),
                client.callOk(broker, topic == null ? request : request.with(FieldNames.TOPIC, topic), PATIENCE)
                        .body());
        show(found);
        return DONE;
    }
}
