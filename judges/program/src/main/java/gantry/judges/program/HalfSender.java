package gantry.judges.program;

import org.apache.rocketmq.client.producer.LocalTransactionState;
import org.apache.rocketmq.client.producer.TransactionListener;
import org.apache.rocketmq.client.producer.TransactionMQProducer;
import org.apache.rocketmq.common.message.Message;
import org.apache.rocketmq.common.message.MessageExt;

/// Sends half messages and leaves them undecided; decides when the server asks, if it is told to.
///
/// For:   transactions that are pending when a server stops.
/// Owner: one producer, all of one group, so that any of them may be asked.
/// Never: a decision of its own accord.
///
/// Fields: topic, count, prefix, check=commit (then it stays and answers the server's questions).
final class HalfSender implements Role {
    private static final String GROUP = "judge-transactions";
    private static final int HEARTBEAT_MILLIS = 2000;

    private final Line line;
    private final Report report;
    private final TransactionMQProducer producer;

    HalfSender(Line line, Clients clients, Report report) {
        this.line = line;
        this.report = report;
        this.producer = clients.transactionProducer(GROUP);
    }

    @Override
    public void run() throws Exception {
        boolean decides = line.textOr("check", "").equals("commit");
        producer.setTransactionListener(new TransactionListener() {
            @Override
            public LocalTransactionState executeLocalTransaction(Message message, Object argument) {
                return LocalTransactionState.UNKNOW;
            }

            @Override
            public LocalTransactionState checkLocalTransaction(MessageExt message) {
                report.tell("asked", "key", message.getKeys());
                return decides ? LocalTransactionState.COMMIT_MESSAGE : LocalTransactionState.UNKNOW;
            }
        });
        // A server asks whoever has said that it is of the group, and a producer says so to the brokers it knows: by
        // then to
        // those to which it has sent something.
        producer.setHeartbeatBrokerInterval(HEARTBEAT_MILLIS);
        producer.start();
        report.tell("started");
        for (int i = 0; i < line.intOr("count", 1); i++) {
            String key = line.textOr("prefix", line.text("topic")) + "-" + i;
            Message message = new Message(line.text("topic"), "half", key, Body.of(key, 64));
            report.tell(
                    "sent",
                    "key",
                    key,
                    "status",
                    producer.sendMessageInTransaction(message, null).getSendStatus());
        }
        report.tell("done");
        if (!decides) {
            producer.shutdown();
        }
    }

    @Override
    public void stop() {
        producer.shutdown();
    }
}
