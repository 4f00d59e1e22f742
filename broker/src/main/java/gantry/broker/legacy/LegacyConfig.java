package gantry.broker.legacy;

import java.util.Optional;

/// With which RocketMQ brokers this one speaks their own replication protocol; with none unless they are named.
///
/// For:   the settings of a migration.
/// Owner: none (immutable).
///
/// @param master whose log is copied (`legacyMasterAddress`)
public record LegacyConfig(Optional<LegacyMaster> master) {
    public static final LegacyConfig NONE = new LegacyConfig(Optional.empty());
}
