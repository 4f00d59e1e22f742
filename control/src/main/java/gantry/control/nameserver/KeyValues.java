package gantry.control.nameserver;

import gantry.base.Image;
import gantry.base.Sequencer;
import gantry.wire.body.KeyValueSpaces;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The key-value configuration: what is read is durable, what is written is answered when it is.
///
/// For:   one save under way at a time; changes that come meanwhile go together into the next.
/// Owner: the routes sequencer; `read` is for anybody.
/// Holds: KV-1 nobody reads a value that the shelf has not kept.
final class KeyValues {
    /// The whole configuration as text; more is refused.
    static final int MAX_CHARS = 4 * 1024 * 1024;

    private final Sequencer sequencer;
    private final KeyValueShelf shelf;
    private final Image<KeyValueSpaces> kept;
    private KeyValueSpaces wanted;
    private boolean saving;
    private List<Consumer<@Nullable String>> waiting = new ArrayList<>();

    KeyValues(Sequencer sequencer, KeyValueShelf shelf, KeyValueSpaces kept) {
        this.sequencer = sequencer;
        this.shelf = shelf;
        this.kept = new Image<>(kept);
        this.wanted = kept;
    }

    KeyValueSpaces read() {
        return kept.read();
    }

    /// The table of one namespace, null when there is none.
    @Nullable
    Map<String, String> space(String namespace) {
        return kept.read().spaces().get(namespace);
    }

    /// Sets a value, or removes it when it is null.
    ///
    /// @param done told inside the sequencer: null when the change is durable, else why it was not made
    void change(String namespace, String key, @Nullable String value, Consumer<@Nullable String> done) {
        sequencer.requireInside();
        KeyValueSpaces changed = changed(namespace, key, value);
        if (changed.toJson().length() > MAX_CHARS) {
            done.accept("the key-value configuration would be larger than " + MAX_CHARS + " characters");
            return;
        }
        wanted = changed;
        waiting.add(done);
        if (!saving) {
            save();
        }
    }

    private KeyValueSpaces changed(String namespace, String key, @Nullable String value) {
        SortedMap<String, Map<String, String>> spaces = new TreeMap<>(wanted.spaces());
        SortedMap<String, String> space = new TreeMap<>(spaces.getOrDefault(namespace, Map.of()));
        if (value == null) {
            space.remove(key);
        } else {
            space.put(key, value);
        }
        spaces.put(namespace, space);
        return new KeyValueSpaces(spaces);
    }

    private void save() {
        saving = true;
        KeyValueSpaces snapshot = wanted;
        List<Consumer<@Nullable String>> group = waiting;
        waiting = new ArrayList<>();
        shelf.save(snapshot.toJson(), problem -> sequencer.submitAlways(() -> saved(snapshot, group, problem)));
    }

    private void saved(KeyValueSpaces snapshot, List<Consumer<@Nullable String>> group, @Nullable String problem) {
        saving = false;
        if (problem == null) {
            kept.publish(snapshot);
        } else {
            // What came meanwhile stands on what was not kept, so it fails with it.
            wanted = kept.read();
            group.addAll(waiting);
            waiting.clear();
        }
        group.forEach(done -> done.accept(problem));
        if (!waiting.isEmpty()) {
            save();
        }
    }
}
