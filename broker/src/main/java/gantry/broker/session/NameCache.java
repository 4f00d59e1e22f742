package gantry.broker.session;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Remembers what a session looked up by names that come as bytes.
///
/// For:   finding a topic or a group again without making a string of its name.
/// Owner: its session.
/// Never: values whose identity changes; a topic is one object for as long as it exists.
public final class NameCache {
    /// Slots; a collision only costs another look-up.
    private static final int SLOTS = 64;

    private final @Nullable Entry[] entries = new Entry[SLOTS];

    private static final class Entry {
        private final byte[] name;
        private final Object value;

        Entry(byte[] name, Object value) {
            this.name = name;
            this.value = value;
        }
    }

    /// @return what was remembered for these bytes, of the wanted type, or null
    public <T> @Nullable T find(byte[] name, int from, int length, Class<T> type) {
        Entry entry = entries[slot(name, from, length)];
        if (entry != null
                && entry.name.length == length
                && Arrays.equals(entry.name, 0, length, name, from, from + length)
                && type.isInstance(entry.value)) {
            return type.cast(entry.value);
        }
        return null;
    }

    public void remember(byte[] name, int from, int length, Object value) {
        entries[slot(name, from, length)] = new Entry(Arrays.copyOfRange(name, from, from + length), value);
    }

    private static int slot(byte[] name, int from, int length) {
        int hash = length;
        for (int i = from; i < from + length; i++) {
            hash = hash * 31 + name[i];
        }
        return (hash ^ (hash >>> 16)) & (SLOTS - 1);
    }
}
