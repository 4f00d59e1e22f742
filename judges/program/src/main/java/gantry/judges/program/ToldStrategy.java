package gantry.judges.program;

import static java.util.stream.Collectors.joining;

import java.util.List;
import org.apache.rocketmq.client.consumer.AllocateMessageQueueStrategy;
import org.apache.rocketmq.client.consumer.rebalance.AllocateMessageQueueAveragely;
import org.apache.rocketmq.common.message.MessageQueue;

/// The client's own default way to share queues, which also tells what came out.
///
/// For:   seeing a rebalance with both client versions.
/// Owner: one consumer.
/// Never: a sharing of its own.
final class ToldStrategy implements AllocateMessageQueueStrategy {
    private final AllocateMessageQueueStrategy averagely = new AllocateMessageQueueAveragely();
    private final String topic;
    private final Report report;
    private String last = "";

    ToldStrategy(String topic, Report report) {
        this.topic = topic;
        this.report = report;
    }

    @Override
    public List<MessageQueue> allocate(String group, String client, List<MessageQueue> queues, List<String> clients) {
        List<MessageQueue> mine = averagely.allocate(group, client, queues, clients);
        if (queues.getFirst().getTopic().equals(topic)) {
            tell(clients.size(), mine);
        }
        return mine;
    }

    private synchronized void tell(int members, List<MessageQueue> mine) {
        String ids = mine.stream()
                .map(queue -> Integer.toString(queue.getQueueId()))
                .sorted()
                .collect(joining(","));
        if (!last.equals(members + ":" + ids)) {
            last = members + ":" + ids;
            report.tell("assigned", "members", members, "queues", ids);
        }
    }

    @Override
    public String getName() {
        return averagely.getName();
    }
}
