package gantry.server.config;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The values of one role: what flags say, else what the file says, else the defaults.
///
/// For:   handing each configuration record its values, each one checked against its key.
/// Owner: none (immutable).
/// Never: decides what a value means.
public final class Values {
    private final KeyTable table;
    private final ConfigFile file;
    /// By the name of the key; a flag's text wins over the file's.
    private final Map<String, Given> given;
    private final List<String> notes;

    private record Given(String text, String where) {}

    /// A value that a flag of the command line gives to a key.
    public record Flag(String name, Key<?> key, @Nullable String text) {}

    private Values(KeyTable table, ConfigFile file, Map<String, Given> given, List<String> notes) {
        this.table = table;
        this.file = file;
        this.given = given;
        this.notes = notes;
    }

    /// @throws StartRefused for an unknown key, and for a value that would promise what this version cannot keep
    public static Values of(Role role, ConfigFile file, List<Flag> flags) throws StartRefused {
        KeyTable table = KeyTable.of(role);
        Map<String, Given> given = new HashMap<>();
        List<String> notes = new ArrayList<>();
        List<String> unknown = new ArrayList<>();
        for (Map.Entry<String, String> entry : file.entries().entrySet()) {
            String name = entry.getKey();
            Optional<Key<?>> found = table.find(name);
            if (found.isEmpty()) {
                unknown.add(unknown(role, table, name));
                continue;
            }
            Key<?> key = found.get();
            switch (key.effect()) {
                case Effect.Feeds _ -> given.put(key.name(), new Given(entry.getValue(), file.name()));
                case Effect.None none -> notes.add(name + " has no effect here: " + none.because() + ".");
                case Effect.Only only -> checkOnly(name, entry.getValue(), only, file);
            }
        }
        if (!unknown.isEmpty()) {
            throw new StartRefused(file.name() + " has " + (unknown.size() == 1 ? "a key" : "keys")
                    + " that nobody knows: " + String.join("; ", unknown)
                    + ". docs/configuration.md has all that are known.");
        }
        for (String name : file.repeated()) {
            notes.add(name + " stands in " + file.name() + " more than once; the last one counts.");
        }
        for (Flag flag : flags) {
            if (flag.text() != null) {
                given.put(flag.key().name(), new Given(flag.text(), flag.name()));
            }
        }
        return new Values(table, file, Map.copyOf(given), List.copyOf(notes));
    }

    /// The same values, with some that were given later; each one is checked against its key.
    ///
    /// @param where they come from
    Values with(Map<String, String> changes, String where) throws StartRefused {
        Map<String, Given> all = new HashMap<>(given);
        for (Map.Entry<String, String> change : changes.entrySet()) {
            String name = change.getKey();
            Key<?> key = table.find(name)
                    .orElseThrow(() -> new StartRefused("nobody knows the key " + name
                            + table.nearest(name)
                                    .map(near -> ": did you mean " + near + "?")
                                    .orElse(".")));
            if (key.effect() instanceof Effect.Feeds) {
                all.put(key.name(), new Given(change.getValue(), where));
            } else {
                throw new StartRefused(name + " has no effect here, so it cannot be changed.");
            }
        }
        Values next = new Values(table, file, Map.copyOf(all), notes);
        for (String name : changes.keySet()) {
            Optional<Key<?>> key = table.find(name);
            if (key.isPresent()) {
                next.find(key.get());
            }
        }
        return next;
    }

    /// The text of every value that is given or a default of its own.
    SortedMap<String, String> texts() {
        SortedMap<String, String> all = new TreeMap<>();
        for (Key<?> key : table.keys()) {
            Given one = given.get(key.name());
            if (one != null) {
                all.put(key.name(), one.text());
            } else if (key.effect() instanceof Effect.Feeds && key.hasDefault()) {
                all.put(key.name(), key.byDefault());
            }
        }
        return all;
    }

    /// What the user should know although the start goes on: one sentence each.
    public List<String> notes() {
        return notes;
    }

    public String source() {
        return file.name();
    }

    /// The value of a key that has a default.
    public <T> T of(Key<T> key) throws StartRefused {
        Optional<T> value = find(key);
        if (value.isPresent()) {
            return value.get();
        }
        if (!key.hasDefault()) {
            throw new IllegalStateException(key.name() + " has no default of its own");
        }
        return key.reading().parse().apply(key.byDefault());
    }

    /// The value that was given for a key, if one was.
    public <T> Optional<T> find(Key<T> key) throws StartRefused {
        Given one = given.get(key.name());
        if (one == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(key.reading().parse().apply(one.text()));
        } catch (IllegalArgumentException e) {
            throw new StartRefused(
                    key.name() + "=" + one.text() + " (" + one.where() + ") is not "
                            + key.reading().what() + ".",
                    e);
        }
    }

    private static String unknown(Role role, KeyTable table, String name) {
        for (Role other : Role.values()) {
            if (other != role && KeyTable.of(other).find(name).isPresent()) {
                return name + " (a key of the " + other.word() + "'s file)";
            }
        }
        return table.nearest(name)
                .map(near -> name + " (did you mean " + near + "?)")
                .orElse(name);
    }

    private static void checkOnly(String name, String value, Effect.Only only, ConfigFile file) throws StartRefused {
        if (!value.equals(only.value())) {
            throw new StartRefused(name + "=" + value + " (" + file.name() + ") cannot be: " + only.because()
                    + ". The only value is " + only.value() + ".");
        }
    }
}
