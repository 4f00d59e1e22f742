package gantry.judges.program;

import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus;
import org.apache.rocketmq.client.consumer.listener.MessageListenerConcurrently;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.common.message.Message;

/// Clients that come, do one thing, and go.
///
/// For:   making a server open and close many connections, producers and group members in turns.
/// Owner: one client at a time.
/// Never: a connection of an earlier client that is used again.
///
/// Fields: topic, count, group.
final class Connector implements Role {
    private final Line line;
    private final Clients clients;
    private final Report report;

    Connector(Line line, Clients clients, Report report) {
        this.line = line;
        this.clients = clients;
        this.report = report;
    }

    @Override
    public void run() throws Exception {
        for (int i = 0; i < line.integer("count"); i++) {
            Clients fresh = clients.another(i);
            if (i % 4 == 3) {
                consumeAndGo(fresh);
            } else {
                sendAndGo(fresh, i);
            }
        }
        report.tell("done");
    }

    private void sendAndGo(Clients fresh, int index) throws Exception {
        DefaultMQProducer producer = fresh.producer();
        producer.start();
        try {
            String key = line.role() + "-" + index;
            producer.send(new Message(line.text("topic"), "", key, Body.of(key, 200)));
        } finally {
            producer.shutdown();
        }
    }

    private void consumeAndGo(Clients fresh) throws Exception {
        DefaultMQPushConsumer consumer = fresh.pushConsumer(line.text("group"));
        consumer.setConsumeThreadMin(1);
        consumer.setConsumeThreadMax(1);
        consumer.subscribe(line.text("topic"), "*");
        consumer.registerMessageListener(
                (MessageListenerConcurrently) (_, _) -> ConsumeConcurrentlyStatus.CONSUME_SUCCESS);
        consumer.start();
        consumer.shutdown();
    }
}
