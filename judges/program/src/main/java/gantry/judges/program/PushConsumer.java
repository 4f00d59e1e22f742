package gantry.judges.program;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.consumer.listener.ConsumeOrderlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerConcurrently;
import org.apache.rocketmq.client.consumer.listener.MessageListenerOrderly;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;
import org.apache.rocketmq.common.message.MessageExt;

/// Consumes with the push consumer.
///
/// For:   `got` per delivery, `assigned` per rebalance, `refused` when it hands a message back.
/// Owner: one consumer.
/// Never: acknowledgement of a message that it has not told of.
///
/// Fields: topic, group, mode=concurrently|orderly, expression, first=first|last (where a new group starts),
/// failures (how often each message is refused before it is taken), pause (ms per message), threads, persist
/// (ms between commits), poll (ms between looks at the route, else the client's own 30 s), window (messages of a queue
/// that it takes ahead).
final class PushConsumer implements Role {
    private final Line line;
    private final Report report;
    private final DefaultMQPushConsumer consumer;
    private final Map<String, Integer> refusals = new ConcurrentHashMap<>();

    PushConsumer(Line line, Clients clients, Report report) {
        this.line = line;
        this.report = report;
        this.consumer = clients.pushConsumer(line.text("group"));
    }

    @Override
    public void run() throws Exception {
        consumer.setConsumeFromWhere(
                line.textOr("first", "first").equals("last")
                        ? ConsumeFromWhere.CONSUME_FROM_LAST_OFFSET
                        : ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
        int threads = line.intOr("threads", 4);
        consumer.setConsumeThreadMin(threads);
        consumer.setConsumeThreadMax(threads);
        // A listener that is at work when the consumer stops may finish, so that what was told of is committed.
        consumer.setAwaitTerminationMillisWhenShutdown(10_000);
        consumer.setPersistConsumerOffsetInterval(line.intOr("persist", 1_000));
        consumer.setPollNameServerInterval(line.intOr("poll", consumer.getPollNameServerInterval()));
        consumer.setPullThresholdForQueue(line.intOr("window", consumer.getPullThresholdForQueue()));
        consumer.setAllocateMessageQueueStrategy(new ToldStrategy(line.text("topic"), report));
        consumer.subscribe(line.text("topic"), line.textOr("expression", "*"));
        if (line.textOr("mode", "concurrently").equals("orderly")) {
            consumer.setSuspendCurrentQueueTimeMillis(200);
            consumer.registerMessageListener((MessageListenerOrderly) (messages, _) -> take(messages)
                    ? ConsumeOrderlyStatus.SUCCESS
                    : ConsumeOrderlyStatus.SUSPEND_CURRENT_QUEUE_A_MOMENT);
        } else {
            consumer.registerMessageListener((MessageListenerConcurrently) (messages, _) -> take(messages)
                    ? ConsumeConcurrentlyStatus.CONSUME_SUCCESS
                    : ConsumeConcurrentlyStatus.RECONSUME_LATER);
        }
        consumer.start();
        report.tell("started");
    }

    @Override
    public void stop() {
        consumer.shutdown();
    }

    /// One message at a time: the clients' own default batch.
    private boolean take(List<MessageExt> messages) {
        MessageExt message = messages.getFirst();
        int failures = line.intOr("failures", 0);
        if (failures > 0 && refusals.merge(message.getKeys(), 1, Integer::sum) <= failures) {
            report.tell("refused", "key", message.getKeys(), "redeliveries", message.getReconsumeTimes());
            return false;
        }
        Seen.tell(report, message);
        try {
            Thread.sleep(line.longOr("pause", 0));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
        return true;
    }
}
