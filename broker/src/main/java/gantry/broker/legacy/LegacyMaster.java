package gantry.broker.legacy;

import gantry.base.Endpoint;

/// The RocketMQ master that is followed.
///
/// For:   both of its ports, by address.
/// Owner: none (immutable).
///
/// @param broker      where its clients connect (`legacyMasterAddress`)
/// @param replication where its slaves connect (`haMasterAddress`, or one port above)
public record LegacyMaster(Endpoint broker, Endpoint replication) {}
