package gantry.broker.topic;

import gantry.base.Image;
import gantry.store.ConsumeQueue;
import gantry.store.Store;
import gantry.store.TopicQueues;
import gantry.wire.body.TopicConfig;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// One topic: an object that stays the same for as long as the topic exists.
///
/// For:   sessions that remember a topic by its name's bytes and then read its present settings.
/// Owner: the catalogue writes; anybody reads.
/// Never: messages.
public final class Topic {
    private final String name;
    private final byte[] nameBytes;
    private final boolean closedToSenders;
    private final boolean retry;
    private final TopicQueues own;
    private final Image<TopicConfig> config;
    private final Image<Boolean> gone = new Image<>(false);
    /// Queues that were looked up, by queue id; replaced as a whole, so a lost race only costs another look-up.
    private final Image<@Nullable ConsumeQueue[]> queues;

    Topic(TopicConfig config, Store store) {
        this.name = config.topic();
        this.nameBytes = name.getBytes(StandardCharsets.UTF_8);
        this.closedToSenders = TopicNames.isClosedToSenders(name);
        this.retry = TopicNames.isRetry(name);
        this.own = store.queuesOf(name);
        this.config = new Image<>(config);
        this.queues = new Image<>(new ConsumeQueue[0]);
    }

    public String name() {
        return name;
    }

    /// UTF-8; not to be changed.
    public byte[] nameBytes() {
        return nameBytes;
    }

    /// Only the broker itself writes it.
    public boolean isClosedToSenders() {
        return closedToSenders;
    }

    /// Of a consumer group's redeliveries.
    public boolean isRetry() {
        return retry;
    }

    public TopicConfig config() {
        return config.read();
    }

    public boolean isGone() {
        return gone.read();
    }

    public ConsumeQueue queue(int queueId) {
        @Nullable ConsumeQueue[] known = queues.read();
        if (queueId < known.length) {
            ConsumeQueue queue = known[queueId];
            if (queue != null) {
                return queue;
            }
        }
        ConsumeQueue queue = own.queue(queueId);
        @Nullable ConsumeQueue[] more = Arrays.copyOf(known, Math.max(known.length, queueId + 1));
        more[queueId] = queue;
        queues.publish(more);
        return queue;
    }

    void change(TopicConfig next) {
        config.publish(next);
    }

    void remove() {
        gone.publish(true);
    }
}
