/// Producer and consumer groups: who is in them, how far they have consumed, which queues they have locked.
///
/// ```
///   heartbeat, offsets, locks ──▶ GroupShard k = hash(group) mod n   (one Sequencer each)
///                                   ├─ Membership   who is alive, what they subscribe to ─▶ image read by pulls
///                                   ├─ OffsetTable  consumed offsets ──fact──▶ log
///                                   └─ QueueLocks   which client may consume a queue in order
/// ```
/// Neighbours: `facts` carries offsets; `pull` reads subscriptions.
@NullMarked
package gantry.broker.group;

import org.jspecify.annotations.NullMarked;
