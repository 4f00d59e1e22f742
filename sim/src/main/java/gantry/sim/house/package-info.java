/// A whole house: a nameserver, a broker, producers, consumers and strangers, with fate against all of them.
///
/// ```
///   Plan (from the seed) ──▶ House ──▶ NameserverProcess  BrokerProcess ── real nodes over simulated seams
///                              │              ▲                ▲
///                              ├─ Producer, Consumer ── Conversation (raw wire) ── Route
///                              ├─ Stranger: garbage to every port
///                              └─ Fate: kills, power cuts, partitions, bad disks, wrong clocks; then heals
///   BrokerProbe (after every event) and the ledgers of `gantry.sim.check` say what was broken
/// ```
/// Neighbours: drives `gantry.broker` and `gantry.control` as `server` does.
@NullMarked
package gantry.sim.house;

import org.jspecify.annotations.NullMarked;
