package gantry.ops.cli;

import gantry.base.Endpoint;
import gantry.client.call.CallFailed;
import gantry.client.call.RemotingClient;
import gantry.client.route.Routes;
import gantry.wire.frame.Command;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.RequestCodes;
import java.time.Duration;
import picocli.CommandLine.Option;

/// `handOver`: a broker takes nothing any more, and gives all it has to the RocketMQ slaves that copy it.
///
/// For:   the way back to RocketMQ; the broker is stopped afterwards, and one of the slaves becomes the master.
/// Owner: the main thread.
/// Never: several brokers at once.
@picocli.CommandLine.Command(
        name = "handOver",
        mixinStandardHelpOptions = true,
        description = {
            "Makes a master ready to be replaced by a RocketMQ slave that copies it (legacySlaves):",
            "it refuses sends and pulls, then commits, and waits until each slave has every message,",
            "topic, group and offset. Then stop it, and start a slave as the master.",
            "If that is not reached within a minute, it takes everything again."
        })
final class HandOverCommand extends Tool {
    /// The broker gives up before.
    private static final Duration PATIENCE = Duration.ofSeconds(75);

    @Option(
            names = {"-b", "--brokerAddr"},
            paramLabel = "HOST:PORT",
            required = true,
            description = "the master")
    private String broker = "";

    @Option(
            names = {"--undo"},
            description = "take everything again")
    private boolean undo;

    @Override
    int run(RemotingClient client, Routes routes) throws CallFailed {
        Endpoint address;
        try {
            address = Endpoint.parse(broker);
        } catch (IllegalArgumentException e) {
            throw CallFailed.because("-b: " + e.getMessage());
        }
        Command request = Command.request(RequestCodes.GANTRY_HAND_OVER).with(FieldNames.GANTRY_UNDO, undo);
        Command answer = client.callOk(address, request, PATIENCE);
        Table table = new Table("broker", "result", "next");
        table.row(address, undo ? "takes sends" : "handed over", answer.remark() == null ? "-" : answer.remark());
        show(table);
        return DONE;
    }
}
