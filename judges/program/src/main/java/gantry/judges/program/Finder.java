package gantry.judges.program;

import org.apache.rocketmq.client.MQAdmin;
import org.apache.rocketmq.client.QueryResult;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.common.message.MessageExt;

/// Asks for stored messages, as applications ask through `MQAdmin`.
///
/// For:   `find` with `key=` or with `id=`, a unique key or an offset id; `got` for each message, then `done`.
/// Owner: one producer, closed at the end.
/// Never: a change.
///
/// Fields: topic; key with begin, end (ms) and max, or id.
final class Finder implements Role {
    /// What the client says when no broker has a message.
    private static final int NO_MESSAGE = 208;

    private final Line line;
    private final Report report;
    private final DefaultMQProducer producer;

    Finder(Line line, Clients clients, Report report) {
        this.line = line;
        this.report = report;
        this.producer = clients.producer();
    }

    @Override
    public void run() throws Exception {
        producer.start();
        try {
            ask(producer);
        } catch (MQClientException e) {
            if (e.getResponseCode() != NO_MESSAGE) {
                throw e;
            }
        } finally {
            producer.shutdown();
        }
        report.tell("done");
    }

    private void ask(MQAdmin admin) throws Exception {
        String topic = line.text("topic");
        if (line.has("id")) {
            MessageExt found = admin.viewMessage(topic, line.text("id"));
            if (found != null) {
                Seen.tell(report, found);
            }
            return;
        }
        QueryResult result = admin.queryMessage(
                topic,
                line.text("key"),
                line.intOr("max", 64),
                line.longOr("begin", 0),
                line.longOr("end", Long.MAX_VALUE));
        report.tell("indexed", "millis", result.getIndexLastUpdateTimestamp());
        for (MessageExt message : result.getMessageList()) {
            Seen.tell(report, message);
        }
    }
}
