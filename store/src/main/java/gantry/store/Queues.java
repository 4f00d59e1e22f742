package gantry.store;

import gantry.base.Registry;
import gantry.wire.message.RecordView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// All queues of a store.
///
/// For:   finding a queue by its topic and id.
/// Owner: itself; safe from any thread. Topics are dropped by the log sequencer.
/// Never: forgets a queue, unless its topic is dropped.
final class Queues {
    private final Registry<String, TopicQueues> topics = new Registry<>();
    private final long queueFileBytes;
    private final QueueListener wakes;
    private final DroppedTopics dropped;

    Queues(long queueFileBytes, QueueListener wakes, DroppedTopics dropped) {
        this.queueFileBytes = queueFileBytes;
        this.wakes = wakes;
        this.dropped = dropped;
    }

    DroppedTopics dropped() {
        return dropped;
    }

    long queueFileBytes() {
        return queueFileBytes;
    }

    ConsumeQueue findOrMake(String topic, int queueId) {
        return ofTopic(topic).queue(queueId);
    }

    /// The present queues of a topic, made on demand.
    TopicQueues ofTopic(String topic) {
        return topics.findOrMake(topic, t -> new TopicQueues(t, dropped.beginOf(t), queueFileBytes, wakes));
    }

    @Nullable
    ConsumeQueue find(String topic, int queueId) {
        TopicQueues ofTopic = topics.find(topic);
        return ofTopic == null ? null : ofTopic.find(queueId);
    }

    /// In no particular order.
    void forEach(Consumer<ConsumeQueue> action) {
        for (TopicQueues ofTopic : topics.values()) {
            ofTopic.all().forEach(action);
        }
    }

    /// The queue that has, or should have, an entry of this record; null when none has.
    @Nullable
    ConsumeQueue of(RecordView record) {
        return Redispatch.hasEntry(record) && !dropped.covers(record.topic(), record.logOffset())
                ? find(record.topic(), record.queueId())
                : null;
    }

    boolean has(String topic) {
        return topics.find(topic) != null;
    }

    @Nullable
    TopicQueues find(String topic) {
        return topics.find(topic);
    }

    /// Takes a topic's queues out, so that others are made when it is asked for again.
    void unlink(String topic) {
        topics.remove(topic);
    }

    /// In order of topic and id.
    List<ConsumeQueue> all() {
        List<ConsumeQueue> all = new ArrayList<>();
        for (TopicQueues ofTopic : topics.values()) {
            all.addAll(ofTopic.all());
        }
        all.sort(Comparator.comparing(ConsumeQueue::topic).thenComparingInt(ConsumeQueue::queueId));
        return all;
    }

    /// How many offsets were ever given, those of dropped topics included; for recovery, which has no log sequencer.
    long entryCount() {
        long sum = dropped.entryCount();
        for (TopicQueues ofTopic : topics.values()) {
            for (ConsumeQueue queue : ofTopic.all()) {
                sum += queue.givenCount();
            }
        }
        return sum;
    }
}
