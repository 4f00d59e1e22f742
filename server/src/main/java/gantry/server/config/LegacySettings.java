package gantry.server.config;

import gantry.base.Endpoint;
import gantry.broker.legacy.LegacyConfig;
import gantry.broker.legacy.LegacyMaster;
import gantry.server.config.ReplicaKeys.BrokerRole;
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
        return new LegacyConfig(Optional.of(new LegacyMaster(
                broker, replication.orElseGet(() -> new Endpoint(broker.host(), broker.port() + 1)))));
    }
}
