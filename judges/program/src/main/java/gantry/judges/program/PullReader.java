package gantry.judges.program;

import org.apache.rocketmq.client.consumer.DefaultMQPullConsumer;
import org.apache.rocketmq.client.consumer.PullResult;
import org.apache.rocketmq.client.consumer.PullStatus;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;

/// Reads every queue of a topic once, from its first to its last message.
///
/// For:   what is really stored, queue by queue and in order.
/// Owner: one pull consumer, closed at the end.
/// Never: a skipped offset that it does not tell of.
///
/// Fields: topic, group, expression, commit=true (then the group's offsets are set to where it came).
final class PullReader implements Role {
    private static final int PULL_COUNT = 32;

    private final Line line;
    private final Report report;

    @SuppressWarnings("deprecation") // old applications use it, so it is judged
    private final DefaultMQPullConsumer consumer;

    PullReader(Line line, Clients clients, Report report) {
        this.line = line;
        this.report = report;
        this.consumer = clients.pullConsumer(line.textOr("group", "judge-readers"));
    }

    @Override
    @SuppressWarnings("deprecation")
    public void run() throws Exception {
        consumer.start();
        try {
            for (MessageQueue queue : consumer.fetchSubscribeMessageQueues(line.text("topic"))) {
                long end = read(queue);
                if (line.has("commit")) {
                    consumer.updateConsumeOffset(queue, end);
                    consumer.getOffsetStore().persist(queue);
                }
            }
        } finally {
            consumer.shutdown();
        }
        report.tell("done");
    }

    @SuppressWarnings("deprecation")
    private long read(MessageQueue queue) throws Exception {
        long next = consumer.minOffset(queue);
        long end = consumer.maxOffset(queue);
        while (next < end) {
            PullResult result = consumer.pull(queue, line.textOr("expression", "*"), next, PULL_COUNT);
            if (result.getPullStatus() == PullStatus.FOUND) {
                result.getMsgFoundList().forEach(message -> tell(message));
            } else if (result.getPullStatus() != PullStatus.NO_MATCHED_MSG) {
                report.tell("odd", "queue", queue.getQueueId(), "offset", next, "status", result.getPullStatus());
                return next;
            }
            next = result.getNextBeginOffset();
        }
        return next;
    }

    private void tell(MessageExt message) {
        Seen.tell(report, message);
    }
}
