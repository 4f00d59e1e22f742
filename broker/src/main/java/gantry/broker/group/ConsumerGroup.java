package gantry.broker.group;

import gantry.base.Image;
import gantry.store.TagCodes;
import gantry.wire.body.Subscription;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// One consumer group as pulls see it: an object that stays the same for as long as the broker runs.
///
/// For:   reading what a group subscribes to without entering its shard.
/// Owner: the shard of the group writes the image; anybody reads.
/// Never: members or offsets.
public final class ConsumerGroup {
    /// A subscription with the filter that was made from it once.
    public record Subscribed(Subscription subscription, TagCodes tags) {}

    private final String name;
    private final Image<Map<String, Subscribed>> subscriptions = new Image<>(Map.of());

    ConsumerGroup(String name) {
        this.name = name;
    }

    public String name() {
        return name;
    }

    public @Nullable Subscribed subscribed(String topic) {
        return subscriptions.read().get(topic);
    }

    public boolean isSubscribed() {
        return !subscriptions.read().isEmpty();
    }

    void publish(Map<String, Subscribed> next) {
        subscriptions.publish(next);
    }

    Map<String, Subscribed> published() {
        return subscriptions.read();
    }
}
