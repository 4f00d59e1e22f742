package gantry.ops.cli;

import gantry.client.call.CallFailed;
import gantry.client.call.RemotingClient;
import gantry.client.produce.SimpleProducer;
import gantry.client.route.Routes;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `sendMessage`, or `send`: sends a message, or the same several times.
///
/// For:   a first try, and checking that a topic takes messages.
/// Owner: the main thread.
@Command(
        name = "sendMessage",
        aliases = "send",
        mixinStandardHelpOptions = true,
        description = "Sends a message and says where it is stored.")
final class SendCommand extends Tool {
    @Option(
            names = {"-t", "--topic"},
            required = true,
            description = "the topic; it is created if the brokers allow that")
    private String topic = "";

    @Option(
            names = {"-p", "--body"},
            defaultValue = "hello from Gantry",
            description = "the message's text (${DEFAULT-VALUE})")
    private String body = "";

    @Option(
            names = {"-k", "--keys"},
            description = "its keys, separated by spaces")
    private @Nullable String keys;

    @Option(
            names = {"-c", "--tags"},
            description = "its tag")
    private @Nullable String tags;

    @Option(
            names = {"-b", "--brokerName"},
            description = "to this broker's queues only")
    private @Nullable String brokerName;

    @Option(
            names = {"-i", "--queueId"},
            description = "to this queue only")
    private @Nullable Integer queueId;

    @Option(names = "--count", defaultValue = "1", description = "how many (${DEFAULT-VALUE})")
    private int count;

    @Override
    int run(RemotingClient client, Routes routes) throws CallFailed {
        SimpleProducer producer = new SimpleProducer(client, routes, "gantry_admin_producer", brokerName, queueId);
        Table table = new Table("broker", "queueId", "queueOffset", "msgId", "stored");
        boolean asPromised = true;
        for (int i = 0; i < count; i++) {
            SimpleProducer.Sent sent =
                    producer.send(topic, body.getBytes(StandardCharsets.UTF_8), tags, keys, PATIENCE.multipliedBy(2));
            asPromised &= sent.isReplicatedAndFlushed();
            table.row(
                    sent.brokerName(),
                    sent.queueId(),
                    sent.queueOffset(),
                    sent.messageId(),
                    sent.isReplicatedAndFlushed() ? "as promised" : "NOT CONFIRMED in time: it may be lost");
        }
        show(table);
        return asPromised ? DONE : FAILED;
    }
}
