package gantry.ops.cli;

import gantry.client.call.CallFailed;
import gantry.client.call.RemotingClient;
import gantry.client.pull.PulledMessage;
import gantry.client.pull.SimplePuller;
import gantry.client.route.Routes;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `consumeMessage`, or `consume`: shows messages of a topic.
///
/// For:   a first try, and looking into a topic. Without a group it changes nothing.
/// Owner: the main thread.
@Command(
        name = "consumeMessage",
        aliases = "consume",
        mixinStandardHelpOptions = true,
        description = {
            "Shows the messages of a topic, from the beginning of each queue.",
            "With -g it starts where that group stands, and moves the group on.",
            "-o stands for two things here, as mqadmin has it: a number is the queue offset to start at (with -i for"
                    + " one queue), a word is the form of the output. Both may be given: -i 0 -o 42 -o json"
        })
final class ConsumeCommand extends Tool {
    private static final int AT_ONCE = 32;
    private static final String LOOKER = "TOOLS_CONSUMER";

    @Option(
            names = {"-t", "--topic"},
            required = true,
            description = "the topic")
    private String topic = "";

    @Option(
            names = {"-b", "--brokerName"},
            description = "only this broker's queues")
    private @Nullable String brokerName;

    @Option(
            names = {"-i", "--queueId"},
            description = "only this queue")
    private @Nullable Integer queueId;

    @Option(
            names = {"-g", "--consumerGroup"},
            description = "in the name of this group, whose offsets are moved on")
    private @Nullable String group;

    @Option(
            names = {"-s", "--beginTimestamp"},
            paramLabel = "TIME",
            converter = WallTime.Reader.class,
            description = WallTime.FORMS + ": only messages stored then or later")
    private @Nullable WallTime begin;

    @Option(
            names = {"-e", "--endTimestamp"},
            paramLabel = "TIME",
            converter = WallTime.Reader.class,
            description = "only messages stored before")
    private @Nullable WallTime end;

    @Option(names = "--tags", defaultValue = "*", description = "only messages with these tags, as \"TagA || TagB\"")
    private String tags = "*";

    @Option(
            names = {"-c", "--count"},
            defaultValue = "128",
            description = "at most so many (${DEFAULT-VALUE})")
    private int count;

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
        SimplePuller puller = new SimplePuller(client, routes, group == null ? LOOKER : group);
        List<SimplePuller.Queue> queues = puller.queues(topic, PATIENCE).stream()
                .filter(queue -> brokerName == null || queue.brokerName().equals(brokerName))
                .filter(queue -> queueId == null || queue.queueId() == queueId)
                .toList();
        Table table = new Table("broker", "queueId", "queueOffset", "stored", "tags", "keys", "body");
        int shown = 0;
        for (SimplePuller.Queue queue : queues) {
            shown += consume(puller, queue, count - shown, table);
        }
        show(table);
        if (shown == 0) {
            say("no messages");
        }
        return DONE;
    }

    private int consume(SimplePuller puller, SimplePuller.Queue queue, int most, Table table) throws CallFailed {
        long from = start(puller, queue);
        long next = from;
        int shown = 0;
        boolean ended = false;
        while (shown < most && !ended) {
            SimplePuller.Pulled pulled = puller.pull(queue, next, Math.min(AT_ONCE, most - shown), tags, Duration.ZERO);
            for (PulledMessage message : pulled.messages()) {
                ended = end != null && message.storeMillis() >= end.millis();
                if (ended) {
                    break;
                }
                table.row(
                        queue.brokerName(),
                        queue.queueId(),
                        message.queueOffset(),
                        Instant.ofEpochMilli(message.storeMillis()),
                        message.properties().getOrDefault("TAGS", ""),
                        message.properties().getOrDefault("KEYS", ""),
                        new String(message.body(), StandardCharsets.UTF_8));
                shown++;
                next = message.queueOffset() + 1;
            }
            ended = ended || (pulled.nextOffset() <= next && pulled.messages().isEmpty());
            next = ended ? next : Math.max(next, pulled.nextOffset());
        }
        if (group != null && next != from) {
            puller.commit(queue, next, PATIENCE);
        }
        return shown;
    }

    private long start(SimplePuller puller, SimplePuller.Queue queue) throws CallFailed {
        if (offset != null) {
            return offset;
        }
        if (begin != null) {
            return puller.offsetAt(queue, begin.millis(), PATIENCE);
        }
        return group == null ? 0 : Math.max(0, puller.committed(queue, PATIENCE));
    }
}
