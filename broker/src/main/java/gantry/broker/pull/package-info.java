/// Giving messages out: pulls, and pulls that wait for messages.
///
/// ```
///   PullHandler ─▶ Store.fetch ─▶ found: header + stored bytes, one send
///        │             └ nothing yet, may wait ─▶ ParkedPulls (by queue) ──grown──▶ PullHandler again
///        └ consumed offset that rides along ─▶ group shard
/// ```
/// Neighbours: `group` knows subscriptions, `store` wakes by `QueueListener`.
@NullMarked
package gantry.broker.pull;

import org.jspecify.annotations.NullMarked;
