package gantry.client;

import gantry.base.Endpoint;
import gantry.wire.body.Permission;
import gantry.wire.body.QueueLayout;
import gantry.wire.body.TopicRoute;
import gantry.wire.frame.Command;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.RequestCodes;
import gantry.wire.frame.ResponseCodes;
import gantry.wire.message.MessageProperties;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Sends one message after another and waits for each.
///
/// For:   the command line.
/// Owner: one thread.
/// Never: batches, retries for ever, or sends without waiting.
public final class SimpleProducer {
    /// What became of a message.
    public record Sent(String messageId, String brokerName, int queueId, long queueOffset) {}

    private record Target(Endpoint address, String brokerName, int queueId) {}

    /// A message is tried on this many queues at most.
    private static final int MOST_TRIES = 3;

    private static final int DEFAULT_QUEUES = 4;

    private final RemotingClient client;
    private final Routes routes;
    private final String group;
    private final @Nullable String onlyBroker;
    private final @Nullable Integer onlyQueueId;
    private int next;

    public SimpleProducer(RemotingClient client, Routes routes, String group) {
        this(client, routes, group, null, null);
    }

    /// @param onlyBroker the one broker name to send to, or null for all
    /// @param onlyQueueId the one queue to send to, or null for all
    public SimpleProducer(
            RemotingClient client,
            Routes routes,
            String group,
            @Nullable String onlyBroker,
            @Nullable Integer onlyQueueId) {
        this.client = client;
        this.routes = routes;
        this.group = group;
        this.onlyBroker = onlyBroker;
        this.onlyQueueId = onlyQueueId;
    }

    /// Sends to the next queue of the topic; another queue is tried when the first one fails.
    ///
    /// @param limit for everything together
    public Sent send(String topic, byte[] body, @Nullable String tags, @Nullable String keys, Duration limit)
            throws CallFailed {
        Duration slice = limit.dividedBy(MOST_TRIES + 1L);
        List<Target> targets = targets(topic, slice);
        CallFailed last = new CallFailed("no queue of \"" + topic + "\" takes messages", CallFailed.NO_ANSWER);
        for (int tries = 0; tries < Math.min(MOST_TRIES, targets.size()); tries++) {
            Target target = targets.get((next++ & Integer.MAX_VALUE) % targets.size());
            try {
                return send(target, topic, body, tags, keys, slice);
            } catch (CallFailed e) {
                last = e;
            }
        }
        throw last;
    }

    private Sent send(
            Target target, String topic, byte[] body, @Nullable String tags, @Nullable String keys, Duration limit)
            throws CallFailed {
        Map<String, String> properties = new LinkedHashMap<>();
        if (tags != null) {
            properties.put("TAGS", tags);
        }
        if (keys != null) {
            properties.put("KEYS", keys);
        }
        properties.put("WAIT", "true");
        Command request = Command.request(RequestCodes.SEND_MESSAGE)
                .with(FieldNames.PRODUCER_GROUP, group)
                .with(FieldNames.TOPIC, topic)
                .with(FieldNames.DEFAULT_TOPIC, Routes.DEFAULT_TOPIC)
                .with(FieldNames.DEFAULT_TOPIC_QUEUE_NUMS, DEFAULT_QUEUES)
                .with(FieldNames.QUEUE_ID, target.queueId)
                .with(FieldNames.SYS_FLAG, 0)
                .with(FieldNames.BORN_TIMESTAMP, client.clock().wallMillis())
                .with(FieldNames.FLAG, 0)
                .with(FieldNames.PROPERTIES, new String(MessageProperties.encode(properties), StandardCharsets.UTF_8))
                .withBody(body);
        Command answer = client.call(target.address, request, limit);
        if (answer.code() != ResponseCodes.SUCCESS) {
            throw new CallFailed(
                    target.address + " did not store the message (code " + answer.code() + "): " + answer.remark(),
                    answer.code());
        }
        return new Sent(
                answer.fieldOr(FieldNames.MSG_ID, ""),
                target.brokerName,
                Integer.parseInt(answer.fieldOr(FieldNames.QUEUE_ID, "0")),
                Long.parseLong(answer.fieldOr(FieldNames.QUEUE_OFFSET, "0")));
    }

    private List<Target> targets(String topic, Duration limit) throws CallFailed {
        TopicRoute route = routes.find(topic, limit);
        boolean known = route != null;
        if (route == null) {
            route = routes.find(Routes.DEFAULT_TOPIC, limit);
        }
        if (route == null) {
            throw new CallFailed(
                    "topic \"" + topic + "\" does not exist, and no broker creates topics on send: "
                            + "create it with updateTopic",
                    ResponseCodes.TOPIC_NOT_EXIST);
        }
        List<Target> targets = new ArrayList<>();
        for (QueueLayout layout : route.queues()) {
            Endpoint master = Routes.master(route, layout.brokerName());
            if (master != null && Permission.isWriteable(layout.permission())) {
                int queues = known ? layout.writeQueues() : Math.min(DEFAULT_QUEUES, layout.readQueues());
                for (int queueId = 0; queueId < queues; queueId++) {
                    if (isWanted(layout.brokerName(), queueId)) {
                        targets.add(new Target(master, layout.brokerName(), queueId));
                    }
                }
            }
        }
        return targets;
    }

    private boolean isWanted(String brokerName, int queueId) {
        return (onlyBroker == null || onlyBroker.equals(brokerName)) && (onlyQueueId == null || onlyQueueId == queueId);
    }
}
