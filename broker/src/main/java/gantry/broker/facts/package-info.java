/// The broker's own state as records of the log, so that whatever carries the log carries it too.
///
/// ```
///   Catalogue, GroupShard ──Fact──▶ FactLog ──record of rmq_sys_gantry_facts──▶ store
///        ▲                                                                        │
///        └───── start: Snapshot (StateFile of config/) ── then facts after it ◀─────┘
/// ```
/// Neighbours: `topic` and `group` make facts and take them back at start.
@NullMarked
package gantry.broker.facts;

import org.jspecify.annotations.NullMarked;
