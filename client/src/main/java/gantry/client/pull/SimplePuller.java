package gantry.client.pull;

import gantry.base.Endpoint;
import gantry.client.call.Answers;
import gantry.client.call.CallFailed;
import gantry.client.call.RemotingClient;
import gantry.client.route.Routes;
import gantry.wire.body.Permission;
import gantry.wire.body.QueueLayout;
import gantry.wire.body.TopicRoute;
import gantry.wire.frame.Command;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.RequestCodes;
import gantry.wire.frame.ResponseCodes;
import gantry.wire.header.PullFlags;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Pulls messages queue by queue.
///
/// For:   the command line and the health check.
/// Owner: one thread at a time.
/// Never: joins a group; it may commit offsets in a group's name.
public final class SimplePuller {
    /// A queue, and where its master is.
    public record Queue(Endpoint address, String topic, String brokerName, int queueId) {}

    /// What one pull gave.
    ///
    /// @param nextOffset where to pull next; below the one asked for when that one is not there any more
    /// @param isMoved the offset asked for is outside of what the queue holds
    public record Pulled(
            List<PulledMessage> messages, long nextOffset, long minOffset, long maxOffset, boolean isMoved) {
        public Pulled {
            messages = List.copyOf(messages);
        }
    }

    /// Waits this much longer for an answer than the broker may wait for a message.
    static final Duration ANSWER_SLACK = Duration.ofSeconds(3);

    private static final String TAG = "TAG";

    private final RemotingClient client;
    private final Routes routes;
    private final String group;

    public SimplePuller(RemotingClient client, Routes routes, String group) {
        this.client = client;
        this.routes = routes;
        this.group = group;
    }

    /// All queues that can be read, by broker name and queue id.
    public List<Queue> queues(String topic, Duration limit) throws CallFailed {
        TopicRoute route = routes.find(topic, limit);
        if (route == null) {
            throw new CallFailed(
                    "topic \"" + topic + "\" does not exist: send something to it first, or create it with the admin"
                            + " command updateTopic",
                    ResponseCodes.TOPIC_NOT_EXIST);
        }
        List<QueueLayout> layouts = new ArrayList<>(route.queues());
        layouts.sort((a, b) -> a.brokerName().compareTo(b.brokerName()));
        List<Queue> queues = new ArrayList<>();
        for (QueueLayout layout : layouts) {
            Endpoint master = Routes.master(route, layout.brokerName());
            if (master != null && Permission.isReadable(layout.permission())) {
                for (int id = 0; id < layout.readQueues(); id++) {
                    queues.add(new Queue(master, topic, layout.brokerName(), id));
                }
            }
        }
        return queues;
    }

    /// Pulls from `offset` on.
    ///
    /// @param tags `*` for all, else tags with `||` between
    /// @param wait how long the broker may wait for a message before it answers that there is none
    public Pulled pull(Queue queue, long offset, int maxMessages, String tags, Duration wait) throws CallFailed {
        int flags = PullFlags.SUBSCRIPTION | (wait.isPositive() ? PullFlags.SUSPEND : 0);
        Command request = about(RequestCodes.PULL_MESSAGE, queue)
                .with(FieldNames.CONSUMER_GROUP, group)
                .with(FieldNames.QUEUE_OFFSET, offset)
                .with(FieldNames.MAX_MSG_NUMS, maxMessages)
                .with(FieldNames.SYS_FLAG, flags)
                .with(FieldNames.COMMIT_OFFSET, 0)
                .with(FieldNames.SUSPEND_TIMEOUT_MILLIS, wait.toMillis())
                .with(FieldNames.SUBSCRIPTION, tags)
                .with(FieldNames.SUB_VERSION, client.clock().wallMillis())
                .with(FieldNames.EXPRESSION_TYPE, TAG);
        Command answer = client.call(queue.address(), request, wait.plus(ANSWER_SLACK));
        int code = answer.code();
        if (code != ResponseCodes.SUCCESS
                && code != ResponseCodes.PULL_NOT_FOUND
                && code != ResponseCodes.PULL_RETRY_IMMEDIATELY
                && code != ResponseCodes.PULL_OFFSET_MOVED) {
            throw RemotingClient.refused(queue.address(), request, answer);
        }
        List<PulledMessage> messages =
                code == ResponseCodes.SUCCESS ? PulledMessage.readAll(queue, answer.body()) : List.of();
        return new Pulled(
                messages,
                Answers.whole(queue.address(), answer, FieldNames.NEXT_BEGIN_OFFSET),
                Answers.whole(queue.address(), answer, FieldNames.MIN_OFFSET),
                Answers.whole(queue.address(), answer, FieldNames.MAX_OFFSET),
                code == ResponseCodes.PULL_OFFSET_MOVED);
    }

    /// The smallest offset that is still there.
    public long minOffset(Queue queue, Duration limit) throws CallFailed {
        return offset(queue, about(RequestCodes.GET_MIN_OFFSET, queue), limit);
    }

    /// The offset that the next message will get.
    public long maxOffset(Queue queue, Duration limit) throws CallFailed {
        return offset(queue, about(RequestCodes.GET_MAX_OFFSET, queue), limit);
    }

    /// The offset of the first message that was stored at that time or later.
    public long offsetAt(Queue queue, long wallMillis, Duration limit) throws CallFailed {
        Command request = about(RequestCodes.SEARCH_OFFSET_BY_TIMESTAMP, queue).with(FieldNames.TIMESTAMP, wallMillis);
        return offset(queue, request, limit);
    }

    /// The group's committed offset; −1 when it has none.
    public long committed(Queue queue, Duration limit) throws CallFailed {
        Command request = about(RequestCodes.QUERY_CONSUMER_OFFSET, queue)
                .with(FieldNames.CONSUMER_GROUP, group)
                .with(FieldNames.SET_ZERO_IF_NOT_FOUND, false);
        try {
            return offset(queue, request, limit);
        } catch (CallFailed e) {
            if (e.code() == ResponseCodes.QUERY_NOT_FOUND) {
                return -1;
            }
            throw e;
        }
    }

    /// Commits `offset` for the group: the next one to consume.
    public void commit(Queue queue, long offset, Duration limit) throws CallFailed {
        Command request = about(RequestCodes.UPDATE_CONSUMER_OFFSET, queue)
                .with(FieldNames.CONSUMER_GROUP, group)
                .with(FieldNames.COMMIT_OFFSET, offset);
        client.callOk(queue.address(), request, limit);
    }

    private long offset(Queue queue, Command request, Duration limit) throws CallFailed {
        return Answers.whole(queue.address(), client.callOk(queue.address(), request, limit), FieldNames.OFFSET);
    }

    private static Command about(int code, Queue queue) {
        return Command.request(code)
                .with(FieldNames.TOPIC, queue.topic())
                .with(FieldNames.QUEUE_ID, queue.queueId())
                .with(FieldNames.BNAME, queue.brokerName());
    }
}
