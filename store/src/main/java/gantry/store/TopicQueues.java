package gantry.store;

import gantry.base.Image;
import gantry.base.Registry;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/// The queues of one topic, for as long as the topic is not dropped.
///
/// For:   telling everybody who holds one of them at once that it was dropped.
/// Owner: queues are made by anybody; the log sequencer drops.
/// Never: comes back: a topic that is made anew has queues of its own.
/// Holds: DROP-3 a queue that was made too late, for a topic that was dropped meanwhile, is dropped as well.
public final class TopicQueues {
    private final String topic;
    private final Image<Long> begin;
    private final long queueFileBytes;
    private final QueueListener wakes;
    private final int topicHash;
    private final Registry<Integer, ConsumeQueue> queues = new Registry<>();
    private final Image<Boolean> shownDropped = new Image<>(false);

    /// For the log sequencer, which reads it for every message.
    private boolean closed;

    TopicQueues(String topic, long begin, long queueFileBytes, QueueListener wakes) {
        this.topic = topic;
        this.begin = new Image<>(begin);
        this.queueFileBytes = queueFileBytes;
        this.wakes = wakes;
        this.topicHash = KeyHash.ofTopic(topic);
    }

    public String topic() {
        return topic;
    }

    /// Where the hashes of the keys of its messages begin.
    int topicHash() {
        return topicHash;
    }

    /// The first offset of each queue: 0, unless there was a topic of that name before.
    public long begin() {
        return begin.read();
    }

    /// The queue, made on demand.
    public ConsumeQueue queue(int queueId) {
        ConsumeQueue there = queues.find(queueId);
        return there != null
                ? there
                : queues.findOrMake(queueId, id -> new ConsumeQueue(this, id, queueFileBytes, wakes));
    }

    @Nullable
    ConsumeQueue find(int queueId) {
        return queues.find(queueId);
    }

    Collection<ConsumeQueue> all() {
        return queues.values();
    }

    /// In the log sequencer: whether no queue has a message below an offset.
    boolean isEmptyBelow(long offset) {
        return queues.values().stream().allMatch(queue -> queue.isEmpty() || queue.minOffset() >= offset);
    }

    /// By the log sequencer, while no queue has a message below: as another member's, all of them begin at `offset`.
    void beginAt(long offset) {
        begin.publish(offset);
        queues.values().stream().filter(ConsumeQueue::isEmpty).forEach(queue -> queue.recover(offset, offset));
    }

    /// By the log sequencer.
    void close() {
        closed = true;
    }

    /// By the log sequencer.
    void drop() {
        closed = true;
        shownDropped.publish(true);
    }

    /// In the log sequencer: nothing is appended to these queues any more.
    boolean closed() {
        return closed;
    }

    /// For everybody.
    public boolean isDropped() {
        return shownDropped.read();
    }
}
