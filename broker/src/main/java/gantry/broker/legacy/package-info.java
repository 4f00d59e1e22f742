/// RocketMQ's own replication, for moving a running broker to Gantry and back ([docs/design/011]).
///
/// ```
///   RocketMQ master ── 12 bytes, log bytes ──▶ MasterStream ─▶ LegacyFollower ── whole records ──▶ store
///                   ◀── 8 bytes: our end ────                      │
///                   ◀── requests 26 28 21 201 43 45 ── MasterTables ┴── config/*.json, in RocketMQ's shapes
///
///   RocketMQ slave ◀── 12 bytes, log bytes ── SlaveFeed ◀── confirmed records ── store
///                  ── 8 bytes: its end ──▶ SlaveReports ─▶ LegacySlaves ─▶ shown, never counted
///                  ── requests 21 201 43 45 402 60 61 ──▶ SlaveTables ─▶ HandOver: all of it is there
/// ```
/// Neighbours: `gantry.broker.replica` has the protocol between Gantry's own members; `gantry.broker.facts` knows what
/// stands in `config/`. Nothing here counts towards what an acknowledgement promises.
@NullMarked
package gantry.broker.legacy;

import org.jspecify.annotations.NullMarked;
