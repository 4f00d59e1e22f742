package gantry.judges.program;

import org.apache.rocketmq.client.consumer.DefaultMQPullConsumer;
import org.apache.rocketmq.common.message.MessageQueue;

/// Asks for the offsets of every queue of a topic.
///
/// For:   `range` with the ends of a queue, `at` with the first message at or after a time, `committed` of a group.
/// Owner: one pull consumer, closed at the end.
/// Never: a change.
///
/// Fields: topic; group for `committed`; millis for `at`.
final class OffsetQuestions implements Role {
    private final Line line;
    private final Report report;

    @SuppressWarnings("deprecation") // old applications use it, so it is judged
    private final DefaultMQPullConsumer consumer;

    OffsetQuestions(Line line, Clients clients, Report report) {
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
                ask(queue);
            }
        } finally {
            consumer.shutdown();
        }
        report.tell("done");
    }

    @SuppressWarnings("deprecation")
    private void ask(MessageQueue queue) throws Exception {
        int id = queue.getQueueId();
        if (line.verb().equals("committed")) {
            report.tell("committed", "queue", id, "offset", consumer.fetchConsumeOffset(queue, true));
        } else if (line.has("millis")) {
            report.tell("at", "queue", id, "offset", consumer.searchOffset(queue, line.longInteger("millis")));
        } else {
            report.tell("range", "queue", id, "min", consumer.minOffset(queue), "max", consumer.maxOffset(queue));
        }
    }
}
