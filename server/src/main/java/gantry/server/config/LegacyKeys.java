package gantry.server.config;

import gantry.base.Endpoint;
import java.util.List;

/// The keys of RocketMQ's own replication protocol.
///
/// For:   the part of the table of keys that a migration needs.
/// Owner: none (immutable).
/// Never: values; `LegacySettings` makes a configuration of them.
public final class LegacyKeys {
    private static final String GROUP = "LegacyConfig";

    private static final Reading<Endpoint> ENDPOINT = new Reading<>("HOST:PORT", Endpoint::parse);

    public static final Key<Endpoint> MASTER = Keys.broker(
            "legacyMasterAddress",
            ENDPOINT,
            "(none)",
            GROUP,
            "a running RocketMQ master, its host and listenPort, whose log and tables are copied, to take its place"
                    + " later; with brokerRole=SLAVE and the master's brokerName. Its replication port is haMasterAddress,"
                    + " or one above");

    private static final List<Key<?>> ALL = List.of(MASTER);

    private LegacyKeys() {}

    /// In the order of the reference page.
    static List<Key<?>> all() {
        return ALL;
    }
}
