package gantry.judges.program;

import java.util.concurrent.Callable;
import org.apache.rocketmq.client.consumer.DefaultMQPullConsumer;
import org.apache.rocketmq.client.consumer.PullResult;
import org.apache.rocketmq.client.consumer.PullStatus;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.remoting.exception.RemotingException;

/// Reads every queue of many topics from first to last, with one client.
///
/// For:   seeing all that a server has, also on a machine so busy that a question takes longer than the client waits.
/// Owner: one pull consumer, closed at the end.
/// Never: a second try that hides an answer: only what got none is asked again.
///
/// Fields: topics (with commas between).
final class Surveyor implements Role {
    private static final int TRIES = 6;
    private static final int PULL_COUNT = 32;

    private final Line line;
    private final Report report;

    @SuppressWarnings("deprecation") // old applications use it
    private final DefaultMQPullConsumer consumer;

    Surveyor(Line line, Clients clients, Report report) {
        this.line = line;
        this.report = report;
        this.consumer = clients.pullConsumer("judge-readers");
    }

    @Override
    @SuppressWarnings("deprecation")
    public void run() throws Exception {
        consumer.start();
        try {
            for (String topic : line.text("topics").split(",", -1)) {
                for (MessageQueue queue : ask(() -> consumer.fetchSubscribeMessageQueues(topic))) {
                    survey(queue);
                }
            }
        } finally {
            consumer.shutdown();
        }
        report.tell("done");
    }

    @SuppressWarnings("deprecation")
    private void survey(MessageQueue queue) throws Exception {
        long min = ask(() -> consumer.minOffset(queue));
        long max = ask(() -> consumer.maxOffset(queue));
        report.tell("range", "topic", queue.getTopic(), "queue", queue.getQueueId(), "min", min, "max", max);
        for (long next = min; next < max; ) {
            long from = next;
            PullResult result = ask(() -> consumer.pull(queue, "*", from, PULL_COUNT));
            if (result.getPullStatus() != PullStatus.FOUND) {
                report.tell("odd", "queue", queue, "offset", from, "status", result.getPullStatus());
                return;
            }
            result.getMsgFoundList().forEach(message -> Seen.tell(report, message));
            next = result.getNextBeginOffset();
        }
    }

    private static <T> T ask(Callable<T> question) throws Exception {
        for (int tried = 1; ; tried++) {
            try {
                return question.call();
            } catch (MQClientException | RemotingException e) {
                if (tried == TRIES) {
                    throw e;
                }
                Thread.sleep(1000);
            }
        }
    }
}
