package gantry.control.nameserver;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A shelf that keeps a text when the test says so.
final class HandShelf implements KeyValueShelf {
    private record Save(String text, Consumer<@Nullable String> done) {}

    private final Deque<Save> saves = new ArrayDeque<>();
    private @Nullable String kept;
    boolean atOnce = true;

    @Override
    public @Nullable String load() {
        return kept;
    }

    @Override
    public void save(String text, Consumer<@Nullable String> done) {
        if (atOnce) {
            kept = text;
            done.accept(null);
        } else {
            saves.add(new Save(text, done));
        }
    }

    @Nullable
    String kept() {
        return kept;
    }

    int underWay() {
        return saves.size();
    }

    /// Finishes the save that was asked for first.
    void finish(@Nullable String problem) {
        Save save = saves.remove();
        if (problem == null) {
            kept = save.text;
        }
        save.done.accept(problem);
    }
}
