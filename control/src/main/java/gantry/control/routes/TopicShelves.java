package gantry.control.routes;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// All topics, spread over shelves that are copied when they change and shared when they do not.
///
/// For:   publishing a new image of a hundred thousand topics for the price of the shelves that changed.
/// Owner: the route table's.
/// Holds: SHELF-1 a shelf that an image shows never changes.
final class TopicShelves {
    static final int SHELVES = 256;

    private final List<Map<String, TopicEntry>> shelves = new ArrayList<>(SHELVES);
    /// The shelf is in an image and must be copied before it changes.
    private final boolean[] shown = new boolean[SHELVES];
    private boolean changed;
    /// Topics times brokers that have them.
    private int layouts;

    TopicShelves() {
        for (int i = 0; i < SHELVES; i++) {
            shelves.add(new HashMap<>());
        }
    }

    static int shelf(String topic) {
        int hash = topic.hashCode();
        return (hash ^ hash >>> 8 ^ hash >>> 16 ^ hash >>> 24) & SHELVES - 1;
    }

    @Nullable
    TopicEntry find(String topic) {
        return shelves.get(shelf(topic)).get(topic);
    }

    /// Changes one topic; the change gets an empty entry when there is none yet, and one that is left without
    /// layouts disappears.
    void update(String topic, UnaryOperator<TopicEntry> change) {
        TopicEntry before = find(topic);
        TopicEntry after = change.apply(before == null ? TopicEntry.empty(topic) : before);
        put(before, after);
    }

    /// Changes every topic.
    void updateAll(UnaryOperator<TopicEntry> change) {
        for (int i = 0; i < SHELVES; i++) {
            for (TopicEntry before : List.copyOf(shelves.get(i).values())) {
                put(before, change.apply(before));
            }
        }
    }

    private void put(@Nullable TopicEntry before, TopicEntry after) {
        if (isSame(after, before) || (before == null && after.layouts().isEmpty())) {
            return;
        }
        layouts +=
                after.layouts().size() - (before == null ? 0 : before.layouts().size());
        Map<String, TopicEntry> shelf = writeable(shelf(after.topic()));
        if (after.layouts().isEmpty()) {
            shelf.remove(after.topic());
        } else {
            shelf.put(after.topic(), after);
        }
    }

    /// Most changes of all topics give most of them back as they are: then nothing is compared.
    @SuppressWarnings("ReferenceEquality")
    private static boolean isSame(TopicEntry after, @Nullable TopicEntry before) {
        return after == before || after.equals(before);
    }

    private Map<String, TopicEntry> writeable(int index) {
        changed = true;
        if (shown[index]) {
            shelves.set(index, new HashMap<>(shelves.get(index)));
            shown[index] = false;
        }
        return shelves.get(index);
    }

    int layouts() {
        return layouts;
    }

    /// Something changed since the last image.
    boolean changed() {
        return changed;
    }

    List<Map<String, TopicEntry>> image() {
        changed = false;
        Arrays.fill(shown, true);
        return List.copyOf(shelves);
    }
}
