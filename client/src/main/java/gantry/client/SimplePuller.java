package gantry.client;

import gantry.base.Endpoint;
import gantry.wire.body.Permission;
import gantry.wire.body.QueueLayout;
import gantry.wire.body.TopicRoute;
import gantry.wire.frame.Command;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.RequestCodes;
import gantry.wire.frame.ResponseCodes;
import gantry.wire.message.Check;
import gantry.wire.message.RecordView;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Pulls messages queue by queue.
///
/// For:   the command line.
/// Owner: one thread.
/// Never: joins a group; it may commit offsets in a group's name.
public final class SimplePuller {
    /// A queue, and where its master is.
    public record Queue(Endpoint address, String topic, String brokerName, int queueId) {}

    @SuppressWarnings("ArrayRecordComponent") // nobody compares messages; the body is its reader's
    public record Message(
            Queue queue, long queueOffset, long storeMillis, Map<String, String> properties, byte[] body) {}

    /// What one pull gave.
    public record Pulled(List<Message> messages, long nextOffset, long minOffset, long maxOffset) {}

    /// Waits this much longer for an answer than the broker may wait for a message.
    private static final Duration ANSWER_SLACK = Duration.ofSeconds(2);

    private final RemotingClient client;
    private final Routes routes;
    private final String group;

    public SimplePuller(RemotingClient client, Routes routes, String group) {
        this.client = client;
        this.routes = routes;
        this.group = group;
    }

    /// All queues that can be read.
    public List<Queue> queues(String topic, Duration limit) throws CallFailed {
        TopicRoute route = routes.find(topic, limit);
        if (route == null) {
            throw new CallFailed(
                    "topic \"" + topic + "\" does not exist: send something to it first, or create it with updateTopic",
                    ResponseCodes.TOPIC_NOT_EXIST);
        }
        List<Queue> queues = new ArrayList<>();
        for (QueueLayout layout : route.queues()) {
            Endpoint master = Routes.master(route, layout.brokerName());
            if (master != null && Permission.isReadable(layout.permission())) {
                for (int queueId = 0; queueId < layout.readQueues(); queueId++) {
                    queues.add(new Queue(master, topic, layout.brokerName(), queueId));
                }
            }
        }
        return queues;
    }

    /// Pulls from `offset` on.
    ///
    /// @param wait how long the broker may wait for a message
    public Pulled pull(Queue queue, long offset, int maxMessages, String tags, Duration wait) throws CallFailed {
        boolean waits = wait.isPositive();
        Command request = Command.request(RequestCodes.PULL_MESSAGE)
                .with(FieldNames.CONSUMER_GROUP, group)
                .with(FieldNames.TOPIC, queue.topic())
                .with(FieldNames.QUEUE_ID, queue.queueId())
                .with(FieldNames.QUEUE_OFFSET, offset)
                .with(FieldNames.MAX_MSG_NUMS, maxMessages)
                .with(FieldNames.SYS_FLAG, waits ? 6 : 4)
                .with(FieldNames.COMMIT_OFFSET, 0)
                .with(FieldNames.SUSPEND_TIMEOUT_MILLIS, wait.toMillis())
                .with(FieldNames.SUBSCRIPTION, tags)
                .with(FieldNames.EXPRESSION_TYPE, "TAG")
                .with(FieldNames.SUB_VERSION, 0);
        Command answer = client.call(queue.address(), request, wait.plus(ANSWER_SLACK));
        List<Message> messages = new ArrayList<>();
        switch (answer.code()) {
            case ResponseCodes.SUCCESS -> read(queue, answer.body(), messages);
            case ResponseCodes.PULL_NOT_FOUND,
                    ResponseCodes.PULL_RETRY_IMMEDIATELY,
                    ResponseCodes.PULL_OFFSET_MOVED -> {}
            default ->
                throw new CallFailed(
                        queue.address() + " answered the pull with code " + answer.code() + ": " + answer.remark(),
                        answer.code());
        }
        return new Pulled(
                messages,
                whole(answer, FieldNames.NEXT_BEGIN_OFFSET.text(), offset),
                whole(answer, FieldNames.MIN_OFFSET.text(), 0),
                whole(answer, FieldNames.MAX_OFFSET.text(), 0));
    }

    /// The offset of the first message that was stored at that time or later.
    public long offsetAt(Queue queue, long wallMillis, Duration limit) throws CallFailed {
        Command answer = client.callOk(
                queue.address(),
                Command.request(RequestCodes.SEARCH_OFFSET_BY_TIMESTAMP)
                        .with(FieldNames.TOPIC, queue.topic())
                        .with(FieldNames.QUEUE_ID, queue.queueId())
                        .with(FieldNames.TIMESTAMP, wallMillis),
                limit);
        return whole(answer, FieldNames.OFFSET.text(), 0);
    }

    /// The group's committed offset; −1 when it has none.
    public long committed(Queue queue, Duration limit) throws CallFailed {
        Command answer = client.call(
                queue.address(),
                offsets(RequestCodes.QUERY_CONSUMER_OFFSET, queue).with(FieldNames.SET_ZERO_IF_NOT_FOUND, false),
                limit);
        return answer.code() == ResponseCodes.SUCCESS ? whole(answer, FieldNames.OFFSET.text(), -1) : -1;
    }

    public void commit(Queue queue, long offset, Duration limit) throws CallFailed {
        client.callOk(
                queue.address(),
                offsets(RequestCodes.UPDATE_CONSUMER_OFFSET, queue).with(FieldNames.COMMIT_OFFSET, offset),
                limit);
    }

    private Command offsets(int code, Queue queue) {
        return Command.request(code)
                .with(FieldNames.CONSUMER_GROUP, group)
                .with(FieldNames.TOPIC, queue.topic())
                .with(FieldNames.QUEUE_ID, queue.queueId());
    }

    private static void read(Queue queue, byte[] body, List<Message> into) throws CallFailed {
        ByteBuffer bytes = ByteBuffer.wrap(body);
        RecordView view = new RecordView();
        for (int at = 0; at < body.length; at += view.size()) {
            Check check = view.wrap(bytes, at, body.length, true);
            if (!check.isOk()) {
                throw new CallFailed(queue.address() + " sent a damaged message (" + check + ")", CallFailed.NO_ANSWER);
            }
            into.add(new Message(
                    queue,
                    view.queueOffset(),
                    view.storeMillis(),
                    view.properties().toMap(),
                    view.body()));
        }
    }

    private static long whole(Command answer, String field, long absent) {
        String text = answer.fields().get(field);
        return text == null ? absent : Long.parseLong(text);
    }
}
