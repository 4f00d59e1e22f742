package gantry.store;

import gantry.base.Registry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// All queues of a store.
///
/// For:   finding a queue by its topic and id.
/// Owner: itself; safe from any thread.
/// Never: forgets a queue.
final class Queues {
    private final Registry<String, Registry<Integer, ConsumeQueue>> topics = new Registry<>();
    private final long queueFileBytes;
    private final QueueListener wakes;

    Queues(long queueFileBytes, QueueListener wakes) {
        this.queueFileBytes = queueFileBytes;
        this.wakes = wakes;
    }

    ConsumeQueue findOrMake(String topic, int queueId) {
        Registry<Integer, ConsumeQueue> ofTopic = topics.findOrMake(topic, _ -> new Registry<>());
        ConsumeQueue there = ofTopic.find(queueId);
        return there != null
                ? there
                : ofTopic.findOrMake(queueId, id -> new ConsumeQueue(topic, id, queueFileBytes, wakes));
    }

    @Nullable
    ConsumeQueue find(String topic, int queueId) {
        Registry<Integer, ConsumeQueue> ofTopic = topics.find(topic);
        return ofTopic == null ? null : ofTopic.find(queueId);
    }

    /// In no particular order.
    void forEach(Consumer<ConsumeQueue> action) {
        for (Registry<Integer, ConsumeQueue> ofTopic : topics.values()) {
            ofTopic.values().forEach(action);
        }
    }

    /// In order of topic and id.
    List<ConsumeQueue> all() {
        List<ConsumeQueue> all = new ArrayList<>();
        for (Registry<Integer, ConsumeQueue> ofTopic : topics.values()) {
            all.addAll(ofTopic.values());
        }
        all.sort(Comparator.comparing(ConsumeQueue::topic).thenComparingInt(ConsumeQueue::queueId));
        return all;
    }
}
