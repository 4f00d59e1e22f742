package gantry.control.nameserver;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Keeps one text over restarts: the key-value configuration, as JSON.
///
/// For:   a nameserver that opens no file.
/// Owner: none; the nameserver has at most one `save` under way.
public interface KeyValueShelf {
    /// What was kept last, or null when nothing ever was. May block; called once, while the node is built.
    @Nullable
    String load();

    /// Keeps `text` instead. Must not block the caller.
    ///
    /// @param done told once, on any thread: null when the text is durable, else a sentence about what is wrong
    void save(String text, Consumer<@Nullable String> done);

    /// Forgets at the end of the process; for trials and tests.
    static KeyValueShelf inMemory() {
        return new KeyValueShelf() {
            @Override
            public @Nullable String load() {
                return null;
            }

            @Override
            public void save(String text, Consumer<@Nullable String> done) {
                done.accept(null);
            }
        };
    }
}
