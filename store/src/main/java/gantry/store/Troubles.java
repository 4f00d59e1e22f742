package gantry.store;

import gantry.base.Image;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What is wrong at the moment.
///
/// For:   one place where health finds every trouble that has not ended.
/// Owner: the log sequencer; `read` is for everybody.
final class Troubles {
    private final Map<Trouble.Kind, String> now = new EnumMap<>(Trouble.Kind.class);
    private final Image<List<Trouble>> image = new Image<>(List.of());

    List<Trouble> read() {
        return image.read();
    }

    boolean has(Trouble.Kind kind) {
        return now.containsKey(kind);
    }

    /// @param sentence null when there is no such trouble any more
    void set(Trouble.Kind kind, @Nullable String sentence) {
        String before = sentence == null ? now.remove(kind) : now.put(kind, sentence);
        if (before == null ? sentence != null : !before.equals(sentence)) {
            List<Trouble> all = new ArrayList<>(now.size());
            now.forEach((which, text) -> all.add(new Trouble(which, text)));
            image.publish(List.copyOf(all));
        }
    }
}
