package gantry.client.produce;

import gantry.client.call.Answers;
import gantry.client.call.CallFailed;
import gantry.client.call.Deadline;
import gantry.client.call.RemotingClient;
import gantry.client.produce.PublishQueues.PublishQueue;
import gantry.client.route.Routes;
import gantry.wire.body.TopicRoute;
import gantry.wire.frame.Command;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.RequestCodes;
import gantry.wire.frame.ResponseCodes;
import gantry.wire.message.MessageProperties;
import gantry.wire.message.PropertyNames;
import gantry.wire.message.RecordHost;
import gantry.wire.message.UniqueKey;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Sends one message after another and waits for each.
///
/// For:   the command line and the health check.
/// Owner: one thread at a time.
/// Never: batches; sends without waiting; goes on after the limit.
public final class SimpleProducer {
    /// What became of a message.
    ///
    /// @param messageId the name that the message carries (UNIQ_KEY)
    /// @param offsetMessageId the name that says where it is stored
    /// @param isReplicatedAndFlushed false when it is stored, but not as safely as the broker was told to
    public record Sent(
            String messageId,
            String offsetMessageId,
            String brokerName,
            int queueId,
            long queueOffset,
            boolean isReplicatedAndFlushed) {}

    private static final int MOST_TRIES = 3;

    /// So long a broker that failed is left out, if there is another.
    private static final Duration AVOIDING = Duration.ofSeconds(30);

    private final RemotingClient client;
    private final Routes routes;
    private final String group;
    private final @Nullable String onlyBroker;
    private final @Nullable Integer onlyQueueId;
    private final UniqueKey names;
    private int turn;
    private @Nullable String avoided;
    private long avoidedUntilNanos;

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
        // Whoever sends at the same moment must not make the same names: the object's own hash differs per process.
        int salt = Long.hashCode(client.clock().nanos()) ^ 31 * client.hashCode();
        this.names =
                new UniqueKey(RecordHost.UNKNOWN, (int) ProcessHandle.current().pid(), salt);
        this.turn = salt;
    }

    /// Sends to the next queue of the topic; when that fails, to a queue of another broker, if there is one.
    ///
    /// @param limit for everything together
    /// @throws CallFailed when it is not confirmed; with the code `NO_ANSWER` it may be stored all the same
    public Sent send(String topic, byte[] body, @Nullable String tags, @Nullable String keys, Duration limit)
            throws CallFailed {
        Map<String, String> properties = new LinkedHashMap<>();
        if (keys != null) {
            properties.put(PropertyNames.KEYS.text(), keys);
        }
        if (tags != null) {
            properties.put(PropertyNames.TAGS.text(), tags);
        }
        return send(topic, body, properties, limit);
    }

    /// The same with any properties; a name (UNIQ_KEY) is added when there is none.
    public Sent send(String topic, byte[] body, Map<String, String> properties, Duration limit) throws CallFailed {
        long bornMillis = client.clock().wallMillis();
        Map<String, String> complete = new LinkedHashMap<>(properties);
        complete.putIfAbsent(PropertyNames.UNIQ_KEY.text(), names.next(bornMillis));
        complete.putIfAbsent(PropertyNames.WAIT.text(), "true");
        Command request = request(topic, body, complete, bornMillis);
        String messageId = complete.getOrDefault(PropertyNames.UNIQ_KEY.text(), "");

        Deadline deadline = Deadline.after(client.clock(), limit);
        List<String> failures = new ArrayList<>();
        int lastCode = CallFailed.NO_ANSWER;
        if (avoidedUntilNanos - client.clock().nanos() <= 0) {
            avoided = null;
        }
        for (int tries = 1; tries <= MOST_TRIES && !deadline.hasPassed(); tries++) {
            PublishQueues queues = queues(topic, deadline);
            PublishQueue queue = queues.choose(turn++, avoided);
            if (queue == null) {
                throw new CallFailed("no broker takes messages of \"" + topic + "\" now", ResponseCodes.NO_PERMISSION);
            }
            // Half of the time is kept for another broker; without one there is nothing to keep it for.
            boolean last = tries == MOST_TRIES || !queues.hasOtherThan(queue.brokerName());
            try {
                Command answer = client.call(queue.address(), addressed(request, queue), deadline.share(last ? 1 : 2));
                if (SendRequests.isStored(answer.code())) {
                    return sent(messageId, queue, answer);
                }
                CallFailed refused = RemotingClient.refused(queue.address(), request, answer);
                if (!SendRequests.isWorthAnotherTry(answer.code())) {
                    throw refused;
                }
                lastCode = answer.code();
                failures.add(refused.sentence());
                routes.expire(topic);
            } catch (CallFailed e) {
                if (e.code() != CallFailed.NO_ANSWER) {
                    throw e;
                }
                lastCode = e.code();
                failures.add(e.sentence());
            }
            avoided = queue.brokerName();
            avoidedUntilNanos = client.clock().nanos() + AVOIDING.toNanos();
        }
        throw new CallFailed(
                "the message to \"" + topic + "\" was not confirmed within " + limit.toMillis() + " ms: "
                        + String.join("; ", failures),
                lastCode);
    }

    private PublishQueues queues(String topic, Deadline deadline) throws CallFailed {
        TopicRoute route = routes.find(topic, deadline.share(2));
        if (route != null) {
            return PublishQueues.of(route).only(onlyBroker, onlyQueueId);
        }
        TopicRoute pattern = routes.find(Routes.DEFAULT_TOPIC, deadline.share(2));
        if (pattern == null) {
            throw new CallFailed(
                    "topic \"" + topic + "\" does not exist, and no broker creates topics on send:"
                            + " create it with the admin command updateTopic",
                    ResponseCodes.TOPIC_NOT_EXIST);
        }
        return PublishQueues.ofDefault(pattern).only(onlyBroker, onlyQueueId);
    }

    private Command request(String topic, byte[] body, Map<String, String> properties, long bornMillis) {
        return Command.request(RequestCodes.SEND_MESSAGE_V2)
                .with("a", group)
                .with("b", topic)
                .with("c", Routes.DEFAULT_TOPIC)
                .with("d", Integer.toString(PublishQueues.DEFAULT_QUEUES))
                .with("f", "0")
                .with("g", Long.toString(bornMillis))
                .with("h", "0")
                .with("i", new String(MessageProperties.encode(properties), StandardCharsets.UTF_8))
                .with("j", "0")
                .with("k", "false")
                .with("m", "false")
                .withBody(body);
    }

    private static Command addressed(Command request, PublishQueue queue) {
        return request.with("e", Integer.toString(queue.queueId())).with("n", queue.brokerName());
    }

    private static Sent sent(String messageId, PublishQueue queue, Command answer) throws CallFailed {
        return new Sent(
                messageId,
                answer.fieldOr(FieldNames.MSG_ID, ""),
                queue.brokerName(),
                (int) Answers.whole(queue.address(), answer, FieldNames.QUEUE_ID),
                Answers.whole(queue.address(), answer, FieldNames.QUEUE_OFFSET),
                answer.code() == ResponseCodes.SUCCESS);
    }
}
