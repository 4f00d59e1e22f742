package gantry.server.config;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// Every key that may stand in one role's file: the one table.
///
/// For:   looking up what a key is, and what a misspelt one was meant to be.
/// Owner: none (immutable).
/// Never: values.
public final class KeyTable {
    private static final Map<Role, KeyTable> BY_ROLE =
            Map.of(Role.BROKER, new KeyTable(Role.BROKER), Role.NAMESERVER, new KeyTable(Role.NAMESERVER));

    /// Spellings of old releases, which still stand in old files.
    private static final Map<String, String> OLD_SPELLINGS = Map.of(
            "mapedFileSizeCommitLog", "mappedFileSizeCommitLog",
            "mapedFileSizeConsumeQueue", "mappedFileSizeConsumeQueue");

    private final Map<String, Key<?>> byName = new LinkedHashMap<>();

    private KeyTable(Role role) {
        addAll(role, Keys.all());
        addAll(role, ReplicaKeys.all());
        addAll(role, AdminKeys.all());
        addAll(role, LegacyKeys.all());
        addAll(role, ApacheKeys.all());
    }

    public static KeyTable of(Role role) {
        KeyTable table = BY_ROLE.get(role);
        if (table == null) {
            throw new IllegalStateException("no table for " + role);
        }
        return table;
    }

    public Collection<Key<?>> keys() {
        return Collections.unmodifiableCollection(byName.values());
    }

    /// The key of that name, or of that old spelling.
    Optional<Key<?>> find(String name) {
        return Optional.ofNullable(byName.get(OLD_SPELLINGS.getOrDefault(name, name)));
    }

    Optional<String> nearest(String name) {
        return Nearest.of(name, byName.keySet());
    }

    private void addAll(Role role, Collection<Key<?>> keys) {
        for (Key<?> key : keys) {
            if (key.role() == role && byName.put(key.name(), key) != null) {
                throw new IllegalStateException(key.name() + " stands in the table twice");
            }
        }
    }
}
