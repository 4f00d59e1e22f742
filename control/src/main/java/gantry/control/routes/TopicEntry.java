package gantry.control.routes;

import gantry.wire.body.QueueLayout;
import gantry.wire.body.QueueMapping;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One topic: what each broker has of it.
///
/// For:   the values of the route table.
/// Owner: none (immutable).
///
/// @param layouts in the order of broker names, one per broker
/// @param mappings of a static topic, in the order of broker names
public record TopicEntry(String topic, List<QueueLayout> layouts, List<QueueMapping> mappings) {
    public TopicEntry {
        layouts = List.copyOf(layouts);
        mappings = List.copyOf(mappings);
    }

    static TopicEntry empty(String topic) {
        return new TopicEntry(topic, List.of(), List.of());
    }

    public @Nullable QueueLayout layout(String brokerName) {
        for (QueueLayout layout : layouts) {
            if (layout.brokerName().equals(brokerName)) {
                return layout;
            }
        }
        return null;
    }

    /// With this layout instead of the one that its broker had; the same entry when that is equal.
    TopicEntry with(QueueLayout layout) {
        if (layout.equals(layout(layout.brokerName()))) {
            return this;
        }
        List<QueueLayout> changed = new ArrayList<>(layouts.size() + 1);
        int at = 0;
        while (at < layouts.size() && layouts.get(at).brokerName().compareTo(layout.brokerName()) < 0) {
            changed.add(layouts.get(at++));
        }
        changed.add(layout);
        for (; at < layouts.size(); at++) {
            if (!layouts.get(at).brokerName().equals(layout.brokerName())) {
                changed.add(layouts.get(at));
            }
        }
        return new TopicEntry(topic, changed, mappings);
    }

    /// The same entry when that broker has nothing of it, which is so of nearly all when a broker goes.
    TopicEntry without(String brokerName) {
        if (layout(brokerName) == null) {
            return this;
        }
        return new TopicEntry(
                topic,
                layouts.stream()
                        .filter(each -> !each.brokerName().equals(brokerName))
                        .toList(),
                mappings);
    }

    /// With this mapping unless that broker's is newer.
    TopicEntry with(QueueMapping mapping) {
        List<QueueMapping> changed = new ArrayList<>(mappings.size() + 1);
        QueueMapping best = mapping;
        for (QueueMapping each : mappings) {
            if (!each.brokerName().equals(mapping.brokerName())) {
                changed.add(each);
            } else if (each.epoch() > mapping.epoch()) {
                best = each;
            }
        }
        changed.add(best);
        changed.sort((a, b) -> a.brokerName().compareTo(b.brokerName()));
        return new TopicEntry(topic, layouts, changed);
    }
}
