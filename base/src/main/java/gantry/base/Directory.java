package gantry.base;

import java.util.Collection;
import java.util.Collections;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// A table that one owner changes and anybody reads without a lock.
///
/// For:   large tables (topics, queues) where copying an `Image` for each change would cost too much.
/// Owner: whoever constructed it is the only one to call `put` and `remove`.
/// Never: mutable values, unless a value has an owner of its own.
public final class Directory<K, V> {
    private final ConcurrentHashMap<K, V> entries = new ConcurrentHashMap<>();

    public @Nullable V find(K key) {
        return entries.get(key);
    }

    public void put(K key, V value) {
        entries.put(key, value);
    }

    public @Nullable V remove(K key) {
        return entries.remove(key);
    }

    public int size() {
        return entries.size();
    }

    /// A live view in no particular order; sort it where the order could be seen.
    public Collection<V> values() {
        return Collections.unmodifiableCollection(entries.values());
    }
}
