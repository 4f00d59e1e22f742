package gantry.broker.legacy;

import gantry.base.Endpoint;
import gantry.base.Require;
import java.util.List;

/// Where RocketMQ's slaves may copy this broker's log, and which of them.
///
/// For:   the settings of the way back.
/// Owner: none (immutable).
///
/// @param hosts  addresses, as they stand in an `Endpoint` of a connection (`legacySlaves`)
/// @param listen where they connect (`legacyListenPort`)
public record LegacyDoor(List<String> hosts, Endpoint listen) {
    /// With what each connection may hold, 70 MB of memory at most are theirs.
    public static final int MOST_HOSTS = 8;

    public LegacyDoor {
        hosts = List.copyOf(hosts);
        Require.that(!hosts.isEmpty(), "legacySlaves names nobody");
        Require.that(
                hosts.size() <= MOST_HOSTS,
                "legacySlaves names " + hosts.size() + " addresses, " + MOST_HOSTS + " are the most");
    }
}
