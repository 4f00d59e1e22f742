package gantry.broker.query;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// What an operator has set, under the names of the keys.
///
/// For:   reading and changing it while the broker runs; `server` knows the keys.
/// Owner: none.
/// Never: shows a secret.
public interface Settings {
    /// Of a broker that nobody has given a file: nothing can be read or changed.
    Settings NONE = new Settings() {
        @Override
        public SortedMap<String, String> inForce() {
            return new TreeMap<>();
        }

        @Override
        public void change(Map<String, String> changes, String who, Consumer<@Nullable String> told) {
            told.accept("this broker's settings cannot be changed while it runs");
        }
    };

    /// Each key that has an effect and a value, with that value.
    SortedMap<String, String> inForce();

    /// Changes all of them or none.
    ///
    /// @param who asks for it, for the log
    /// @param told on any thread: null when they are in force, else why nothing was changed
    void change(Map<String, String> changes, String who, Consumer<@Nullable String> told);
}
