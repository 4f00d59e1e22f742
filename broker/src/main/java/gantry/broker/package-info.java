/// What a message broker means, built from the seams only.
///
/// ```
///   BrokerNode ── session ─▶ send, pull, group, query ─▶ topic, facts, delay ─▶ append ─▶ store
///        └── register ─▶ nameservers
/// ```
/// Neighbours: `server` and `sim` make a `BrokerNode` and give it real or simulated seams.
@NullMarked
package gantry.broker;

import org.jspecify.annotations.NullMarked;
