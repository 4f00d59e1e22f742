package gantry.broker.legacy;

import gantry.base.Require;
import java.util.Optional;

/// With which RocketMQ brokers this one speaks their own replication protocol; with none unless they are named.
///
/// For:   the settings of a migration.
/// Owner: none (immutable).
///
/// @param master whose log is copied (`legacyMasterAddress`)
/// @param slaves who may copy this broker's log (`legacySlaves`)
public record LegacyConfig(Optional<LegacyMaster> master, Optional<LegacyDoor> slaves) {
    public static final LegacyConfig NONE = new LegacyConfig(Optional.empty(), Optional.empty());

    public LegacyConfig {
        Require.that(
                master.isEmpty() || slaves.isEmpty(),
                "legacySlaves and legacyMasterAddress exclude each other: a copy of a RocketMQ master serves nobody");
    }

    public static LegacyConfig following(LegacyMaster master) {
        return new LegacyConfig(Optional.of(master), Optional.empty());
    }

    public static LegacyConfig serving(LegacyDoor slaves) {
        return new LegacyConfig(Optional.empty(), Optional.of(slaves));
    }
}
