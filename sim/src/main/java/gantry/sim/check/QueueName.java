package gantry.sim.check;

import java.util.Comparator;

/// One queue of one topic.
///
/// For:   keys of the ledger.
/// Owner: none (immutable).
public record QueueName(String topic, int queueId) implements Comparable<QueueName> {
    private static final Comparator<QueueName> ORDER =
            Comparator.comparing(QueueName::topic).thenComparingInt(QueueName::queueId);

    @Override
    public int compareTo(QueueName other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return topic + "/" + queueId;
    }
}
