package gantry.judges.program;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Map;
import org.apache.rocketmq.client.producer.DefaultMQProducer;

/// Creates a topic the way an application can.
///
/// For:   `createTopic`, whose signature grew from three arguments in 4.9 to four in 5.x: the one call found by
///        reflection.
/// Owner: one producer, closed at the end.
/// Never: a topic of the server's own.
///
/// Fields: topic, queues.
final class TopicMaker implements Role {
    /// Its route is where a new topic's brokers are looked up.
    private static final String TEMPLATE = "TBW102";

    private final Line line;
    private final Report report;
    private final DefaultMQProducer producer;

    TopicMaker(Line line, Clients clients, Report report) {
        this.line = line;
        this.report = report;
        this.producer = clients.producer();
    }

    @Override
    public void run() throws Exception {
        producer.start();
        try {
            create(line.text("topic"), line.integer("queues"));
            report.tell(
                    "done",
                    "queues",
                    producer.fetchPublishMessageQueues(line.text("topic")).size());
        } finally {
            producer.shutdown();
        }
    }

    private void create(String topic, int queues) throws ReflectiveOperationException {
        Method create = Arrays.stream(DefaultMQProducer.class.getMethods())
                .filter(method -> method.getName().equals("createTopic"))
                .filter(method -> method.getParameterCount() == 3 || method.getParameterTypes()[3] == Map.class)
                .filter(method -> method.getParameterCount() < 5)
                .findFirst()
                .orElseThrow();
        if (create.getParameterCount() == 3) {
            create.invoke(producer, TEMPLATE, topic, queues);
        } else {
            create.invoke(producer, TEMPLATE, topic, queues, Map.of());
        }
    }
}
