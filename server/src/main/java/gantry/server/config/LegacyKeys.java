package gantry.server.config;

import gantry.base.Endpoint;
import gantry.base.Require;
import java.net.InetAddress;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// The keys of RocketMQ's own replication protocol.
///
/// For:   the part of the table of keys that a migration needs.
/// Owner: none (immutable).
/// Never: values; `LegacySettings` makes a configuration of them.
public final class LegacyKeys {
    private static final String GROUP = "LegacyConfig";

    private static final Reading<Endpoint> ENDPOINT = new Reading<>("HOST:PORT", Endpoint::parse);

    /// No names: what a name means may change, and this is who is let in.
    private static final Reading<List<String>> ADDRESSES =
            new Reading<>("a list of IP addresses, as in 10.0.0.3;10.0.0.4", text -> {
                Set<String> all = new LinkedHashSet<>();
                for (String one : text.split("[;,]", -1)) {
                    if (!one.isBlank()) {
                        all.add(InetAddress.ofLiteral(one.strip()).getHostAddress());
                    }
                }
                Require.that(!all.isEmpty(), "empty");
                return List.copyOf(all);
            });

    public static final Key<Endpoint> MASTER = Keys.broker(
            "legacyMasterAddress",
            ENDPOINT,
            "(none)",
            GROUP,
            "a running RocketMQ master, its host and listenPort, whose log and tables are copied, to take its place"
                    + " later; with brokerRole=SLAVE and the master's brokerName. Its replication port is haMasterAddress,"
                    + " or one above");

    public static final Key<List<String>> SLAVES = Keys.broker(
            "legacySlaves",
            ADDRESSES,
            "(none)",
            GROUP,
            "the addresses of RocketMQ slaves that may copy this master's log and tables by RocketMQ's own replication;"
                    + " they count for nothing that an answer promises. Nameservers then tell legacyListenPort as the"
                    + " replication port, so a Gantry follower needs haMasterAddress");
    public static final Key<Integer> PORT = Keys.broker(
            "legacyListenPort",
            Keys.PORT,
            "(haListenPort + 1)",
            GROUP,
            "where RocketMQ's slaves connect, at the address of listenPort, if legacySlaves names any; 0 takes a free"
                    + " port");

    private static final List<Key<?>> ALL = List.of(MASTER, SLAVES, PORT);

    private LegacyKeys() {}

    /// In the order of the reference page.
    static List<Key<?>> all() {
        return ALL;
    }
}
