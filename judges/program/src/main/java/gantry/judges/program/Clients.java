package gantry.judges.program;

import org.apache.rocketmq.client.ClientConfig;
import org.apache.rocketmq.client.consumer.DefaultLitePullConsumer;
import org.apache.rocketmq.client.consumer.DefaultMQPullConsumer;
import org.apache.rocketmq.client.consumer.DefaultMQPushConsumer;
import org.apache.rocketmq.client.producer.DefaultMQProducer;
import org.apache.rocketmq.client.producer.TransactionMQProducer;

/// Makes official clients that know the nameserver and share no connection with those of other roles.
///
/// For:   the settings that every judge wants alike.
/// Owner: one role.
/// Never: a setting that makes a server's life easier than the clients' own defaults, but for patience.
final class Clients {
    /// The clients' own 3 s measure the machine, when it is busy, rather than the server.
    private static final int SEND_TIMEOUT_MILLIS = 20_000;

    private final String nameserver;
    private final String role;
    private final String instance;

    Clients(String nameserver, String role) {
        this(nameserver, role, role);
    }

    private Clients(String nameserver, String role, String instance) {
        this.nameserver = nameserver;
        this.role = role;
        this.instance = instance;
    }

    /// The same role with a connection of its own.
    Clients another(int number) {
        return new Clients(nameserver, role, role + "-" + number);
    }

    DefaultMQProducer producer() {
        DefaultMQProducer producer = configured(new DefaultMQProducer("judge-producers-" + role));
        producer.setSendMsgTimeout(SEND_TIMEOUT_MILLIS);
        return producer;
    }

    TransactionMQProducer transactionProducer(String group) {
        TransactionMQProducer producer = configured(new TransactionMQProducer(group));
        producer.setSendMsgTimeout(SEND_TIMEOUT_MILLIS);
        return producer;
    }

    DefaultMQPushConsumer pushConsumer(String group) {
        return configured(new DefaultMQPushConsumer(group));
    }

    DefaultLitePullConsumer liteConsumer(String group) {
        return configured(new DefaultLitePullConsumer(group));
    }

    @SuppressWarnings("deprecation") // old applications use it, so it is judged
    DefaultMQPullConsumer pullConsumer(String group) {
        return configured(new DefaultMQPullConsumer(group));
    }

    private <C extends ClientConfig> C configured(C client) {
        client.setNamesrvAddr(nameserver);
        // Clients of equal instance names share one connection; of different ones, none.
        client.setInstanceName(instance + "@" + ProcessHandle.current().pid());
        return client;
    }
}
