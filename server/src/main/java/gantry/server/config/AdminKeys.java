package gantry.server.config;

import java.util.List;

/// The keys of the port that shows health and metrics, the same for every role.
///
/// For:   the part of the table of keys that says where an operator's tools look.
/// Owner: none (immutable).
/// Never: values; `AdminPlace` is made of them.
public final class AdminKeys {
    private static final String PORT_MEANING =
            "health (/health) and metrics (/metrics) by HTTP, docs/monitoring.md; 0 takes a free port, and so does a"
                    + " default port that is taken";
    private static final String ADDRESS_MEANING =
            "the address of adminPort; whoever reaches it can read, and nobody can change anything there";

    public static final Key<Integer> PORT = key(Role.BROKER, "adminPort", Keys.PORT, "8082", PORT_MEANING);
    public static final Key<String> ADDRESS =
            key(Role.BROKER, "adminAddress", Reading.TEXT, "127.0.0.1", ADDRESS_MEANING);
    public static final Key<Integer> NAMESERVER_PORT =
            key(Role.NAMESERVER, "adminPort", Keys.PORT, "8083", PORT_MEANING);
    public static final Key<String> NAMESERVER_ADDRESS =
            key(Role.NAMESERVER, "adminAddress", Reading.TEXT, "127.0.0.1", ADDRESS_MEANING);

    private static final List<Key<?>> ALL = List.of(PORT, ADDRESS, NAMESERVER_PORT, NAMESERVER_ADDRESS);

    private AdminKeys() {}

    /// In the order of the reference page.
    static List<Key<?>> all() {
        return ALL;
    }

    private static <T> Key<T> key(Role role, String name, Reading<T> reading, String byDefault, String meaning) {
        return new Key<>(name, role, reading, byDefault, new Effect.Feeds("ServerConfig"), meaning);
    }
}
