package gantry.base;

import java.util.Collection;
import java.util.Collections;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// One object per key, made when it is first asked for, from any thread.
///
/// For:   objects with an owner of their own that many threads look up by name (queues by topic and id).
/// Owner: itself; safe from any thread.
/// Never: forgets by itself; whoever lets strangers choose keys bounds them first.
public final class Registry<K, V> {
    private final ConcurrentHashMap<K, V> entries = new ConcurrentHashMap<>();

    public @Nullable V find(K key) {
        return entries.get(key);
    }

    /// @param maker runs at most once per key, must be short, and must not touch this registry
    public V findOrMake(K key, Function<? super K, ? extends V> maker) {
        V there = entries.get(key);
        return there != null ? there : entries.computeIfAbsent(key, maker);
    }

    /// Afterwards the key's object is made anew when it is asked for; who holds the old one has to learn of it
    /// elsewhere.
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
