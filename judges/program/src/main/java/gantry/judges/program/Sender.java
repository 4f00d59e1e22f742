package gantry.judges.program;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.MessageQueueSelector;
import org.apache.rocketmq.client.producer.SendCallback;
import org.apache.rocketmq.client.producer.SendResult;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageQueue;

/// Sends messages with keys of their own, `TOPIC-INDEX`.
///
/// For:   telling of every answer at once, so that a test knows what was acknowledged when something is killed.
/// Owner: one producer.
/// Never: a resend of its own; `retries` is the client's, 0 when a test counts copies.
///
/// Fields: topic, count (0: until stopped), from, size, compress=never, tag (of A,B,C they take turns),
/// retries, pause (ms), delay (level), mode=sync|async|oneway|batch, batch, selector=index (queue = index
/// modulo queues) or queue=N, prefix (of the keys, else the topic).
final class Sender implements Role {
    private static final int ASYNC_WINDOW = 32;

    /// Longer than a send may take.
    private static final int DRAIN_SECONDS = 20;

    private final Line line;
    private final Report report;
    private final DefaultMQProducer producer;
    private final String topic;
    private final Semaphore window = new Semaphore(ASYNC_WINDOW);
    private volatile boolean stopped;

    Sender(Line line, Clients clients, Report report) {
        this.line = line;
        this.report = report;
        this.topic = line.text("topic");
        this.producer = clients.producer();
        if (line.textOr("compress", "").equals("never")) {
            producer.setCompressMsgBodyOverHowmuch(Integer.MAX_VALUE);
        }
        producer.setRetryTimesWhenSendFailed(line.intOr("retries", 2));
        producer.setRetryTimesWhenSendAsyncFailed(line.intOr("retries", 2));
    }

    @Override
    public void run() throws Exception {
        producer.start();
        report.tell("started");
        int from = line.intOr("from", 0);
        int count = line.intOr("count", 1);
        int step = line.textOr("mode", "sync").equals("batch") ? line.intOr("batch", 10) : 1;
        for (int i = from; !stopped && (count == 0 || i < from + count); i += step) {
            send(i, step);
            Thread.sleep(line.longOr("pause", 0));
        }
        // A producer that is shut down earlier forgets its callbacks (seen with 5.5.0), so the answers come first.
        boolean allAnswered = window.tryAcquire(ASYNC_WINDOW, DRAIN_SECONDS, TimeUnit.SECONDS);
        producer.shutdown();
        report.tell("done", "drained", allAnswered);
    }

    @Override
    public void stop() {
        stopped = true;
    }

    private void send(int index, int step) throws InterruptedException {
        String key = key(index);
        try {
            switch (line.textOr("mode", "sync")) {
                case "sync" -> sent(key, sendSync(message(index), index));
                case "async" -> sendAsync(message(index), index);
                case "oneway" -> {
                    producer.sendOneway(message(index));
                    report.tell("sent", "key", key, "status", "ONEWAY");
                }
                case "batch" -> sendBatch(index, step);
                default -> throw new IllegalArgumentException("no mode " + line.text("mode"));
            }
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            report.failed(key, e);
        }
    }

    private SendResult sendSync(Message message, int index) throws Exception {
        if (line.has("selector")) {
            return producer.send(message, bySelector(), index);
        }
        if (line.has("queue")) {
            return producer.send(message, queue());
        }
        return producer.send(message);
    }

    private void sendAsync(Message message, int index) throws Exception {
        String key = message.getKeys();
        window.acquire();
        SendCallback callback = new SendCallback() {
            @Override
            public void onSuccess(SendResult result) {
                sent(key, result);
                window.release();
            }

            @Override
            public void onException(Throwable cause) {
                report.failed(key, cause);
                window.release();
            }
        };
        if (line.has("selector")) {
            producer.send(message, bySelector(), index, callback);
        } else {
            producer.send(message, callback);
        }
    }

    private void sendBatch(int from, int step) throws Exception {
        List<Message> messages = new ArrayList<>();
        for (int i = from; i < from + step; i++) {
            messages.add(message(i));
        }
        SendResult result = line.has("queue") ? producer.send(messages, queue()) : producer.send(messages);
        String[] uniqueKeys = result.getMsgId().split(",", -1);
        String[] ids = result.getOffsetMsgId().split(",", -1);
        for (int i = 0; i < step; i++) {
            sent(key(from + i), result, uniqueKeys[i], ids[i], result.getQueueOffset() + i);
        }
    }

    private void sent(String key, SendResult result) {
        sent(key, result, result.getMsgId(), result.getOffsetMsgId(), result.getQueueOffset());
    }

    private void sent(String key, SendResult result, String uniqueKey, String id, long offset) {
        MessageQueue queue = result.getMessageQueue();
        report.tell(
                "sent",
                "key",
                key,
                "status",
                result.getSendStatus(),
                "uniqueKey",
                uniqueKey,
                "id",
                id,
                "broker",
                queue.getBrokerName(),
                "queue",
                queue.getQueueId(),
                "offset",
                offset);
    }

    private Message message(int index) {
        String key = key(index);
        String tag = line.textOr("tag", "");
        if (tag.contains(",")) {
            // Several tags take turns.
            String[] tags = tag.split(",", -1);
            tag = tags[index % tags.length];
        }
        Message message = new Message(topic, tag, key, Body.of(key, line.intOr("size", 64)));
        message.putUserProperty("judgeIndex", Integer.toString(index));
        if (line.has("delay")) {
            message.setDelayTimeLevel(line.integer("delay"));
        }
        return message;
    }

    private String key(int index) {
        return line.textOr("prefix", topic) + "-" + index;
    }

    private MessageQueue queue() throws Exception {
        int wanted = line.integer("queue");
        for (MessageQueue queue : producer.fetchPublishMessageQueues(topic)) {
            if (queue.getQueueId() == wanted) {
                return queue;
            }
        }
        throw new IllegalArgumentException(topic + " has no queue " + wanted);
    }

    private static MessageQueueSelector bySelector() {
        return (queues, _, index) -> queues.get((Integer) index % queues.size());
    }
}
