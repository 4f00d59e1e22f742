/// Topics and subscription groups: what exists, what its settings are, and the rules of names.
///
/// ```
///   send, pull, heartbeat, admin ──▶ Catalogue (one owner) ──fact──▶ log
///                                       └─ Directory of Topic, SubscriptionGroup ◀── anybody reads
/// ```
/// Neighbours: `facts` carries every change into the log and back at start.
@NullMarked
package gantry.broker.topic;

import org.jspecify.annotations.NullMarked;
