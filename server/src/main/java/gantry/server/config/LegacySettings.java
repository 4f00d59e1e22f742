package gantry.server.config;

import gantry.base.Endpoint;
import gantry.broker.BrokerConfig;
import gantry.broker.legacy.LegacyConfig;
import gantry.broker.legacy.LegacyDoor;
import gantry.broker.legacy.LegacyMaster;
import gantry.server.config.ReplicaKeys.BrokerRole;
import java.util.List;
import java.util.Optional;

/// From values to the RocketMQ brokers with which their own replication protocol is spoken.
///
/// For:   the component "LegacyConfig" in the table of keys.
/// Owner: none (stateless).
final class LegacySettings {
    private static final int LAST_PORT = 65_535;

    private LegacySettings() {}

    static LegacyConfig of(Values values) throws StartRefused {
        Optional<Endpoint> master = values.find(LegacyKeys.MASTER);
        Optional<List<String>> slaves = values.find(LegacyKeys.SLAVES);
        if (slaves.isPresent()) {
            return serving(values, slaves.get(), master.isPresent());
        }
        if (values.find(LegacyKeys.PORT).isPresent()) {
            throw new StartRefused("legacyListenPort (" + values.source()
                    + ") opens a port for RocketMQ's slaves, and legacySlaves names none.");
        }
        if (master.isEmpty()) {
            return LegacyConfig.NONE;
        }
        if (values.of(ReplicaKeys.ROLE) != BrokerRole.SLAVE) {
            throw new StartRefused("legacyMasterAddress (" + values.source()
                    + ") makes this broker a copy of a RocketMQ master, which takes no messages: set brokerRole=SLAVE and"
                    + " a brokerId above 0. To take the master's place, remove legacyMasterAddress.");
        }
        Optional<Endpoint> replication = values.find(ReplicaKeys.LEADER);
        Endpoint broker = master.get();
        if (replication.isEmpty() && broker.port() >= LAST_PORT) {
            throw new StartRefused("legacyMasterAddress " + broker + " (" + values.source()
                    + ") has no port above it: set haMasterAddress to the master's replication port.");
        }
        return LegacyConfig.following(new LegacyMaster(
                broker, replication.orElseGet(() -> new Endpoint(broker.host(), broker.port() + 1))));
    }

    private static LegacyConfig serving(Values values, List<String> slaves, boolean copies) throws StartRefused {
        if (values.of(ReplicaKeys.ROLE) == BrokerRole.SLAVE) {
            throw new StartRefused("legacySlaves (" + values.source() + ") is a master's: "
                    + (copies
                            ? "a broker with legacyMasterAddress copies, and is copied by nobody."
                            : "RocketMQ's slaves copy the master of this group, not its followers."));
        }
        int others = ReplicaSettings.port(values);
        int port = values.find(LegacyKeys.PORT).orElse(others == 0 || others == LAST_PORT ? 0 : others + 1);
        if (port != 0 && (port == others || port == values.of(Keys.LISTEN_PORT))) {
            throw new StartRefused("legacyListenPort=" + port + " (" + values.source()
                    + ") is taken by clients or by Gantry's own followers: choose another one.");
        }
        Endpoint listen = new Endpoint(Place.ofBroker(values).listen().host(), port);
        try {
            return LegacyConfig.serving(new LegacyDoor(slaves, listen));
        } catch (IllegalArgumentException e) {
            throw new StartRefused(e.getMessage() + " (" + values.source() + ").", e);
        }
    }

    /// What an operator should know although the broker starts.
    static List<String> warnings(BrokerConfig config) {
        return config.legacy()
                .slaves()
                .map(door -> List.of("RocketMQ's slaves at " + String.join(", ", door.hosts())
                        + " may copy every message"
                        + " at " + door.listen() + ", without a password and without encryption: let only them reach"
                        + " that port. Nameservers tell it as the replication port, so a Gantry follower of this broker"
                        + " needs haMasterAddress"))
                .orElse(List.of());
    }
}
