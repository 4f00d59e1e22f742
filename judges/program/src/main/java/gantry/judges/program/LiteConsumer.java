package gantry.judges.program;

import java.util.Collection;
import org.apache.rocketmq.client.consumer.DefaultLitePullConsumer;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;
import org.apache.rocketmq.common.message.MessageExt;
import org.apache.rocketmq.common.message.MessageQueue;

/// Consumes with the lite pull consumer until stopped.
///
/// For:   `got` per message; with mode=assign all queues are its own.
/// Owner: one consumer.
/// Never: a message twice by its own fault: it commits when it stops, and says `closed` when it has.
///
/// Fields: topic, group, mode=subscribe|assign, expression; with mode=assign seek=OFFSET, once `after=N` were got.
/// It seeks when nothing is left to pull, because an answer that is on its way while the client seeks is kept by it.
final class LiteConsumer implements Role {
    private static final int POLL_MILLIS = 500;

    private final Line line;
    private final Report report;
    private final DefaultLitePullConsumer consumer;
    private volatile boolean stopped;

    LiteConsumer(Line line, Clients clients, Report report) {
        this.line = line;
        this.report = report;
        this.consumer = clients.liteConsumer(line.text("group"));
    }

    @Override
    @SuppressWarnings("deprecation") // the only way to commit that both versions have
    public void run() throws Exception {
        String topic = line.text("topic");
        boolean assign = line.textOr("mode", "subscribe").equals("assign");
        consumer.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
        consumer.setAllocateMessageQueueStrategy(new ToldStrategy(topic, report));
        if (!assign) {
            consumer.subscribe(topic, line.textOr("expression", "*"));
        }
        consumer.start();
        if (assign) {
            // Without a committed offset it begins at the first one. A seek here would race with the first pull.
            consumer.assign(consumer.fetchMessageQueues(topic));
        }
        report.tell("started");
        long untilSeek = assign ? line.longInteger("after") : Long.MAX_VALUE;
        while (!stopped) {
            for (MessageExt message : consumer.poll(POLL_MILLIS)) {
                Seen.tell(report, message);
                untilSeek--;
            }
            if (untilSeek <= 0) {
                seek(consumer.fetchMessageQueues(topic));
                untilSeek = Long.MAX_VALUE;
            }
        }
        // By itself it commits every 5 s only.
        consumer.commitSync();
        consumer.shutdown();
        report.tell("closed");
    }

    private void seek(Collection<MessageQueue> queues) throws Exception {
        for (MessageQueue queue : queues) {
            consumer.seek(queue, line.longInteger("seek"));
        }
    }

    @Override
    public void stop() {
        stopped = true;
    }
}
