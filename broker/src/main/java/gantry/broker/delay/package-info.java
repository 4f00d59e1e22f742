/// Messages that wait for their time in the queues of the delay levels.
///
/// ```
///   send with a delay level ─▶ SCHEDULE_TOPIC_XXXX, queue level − 1 ──due──▶ DelayDelivery ─▶ the message's own topic
///                                                        progress of each level ──fact──▶ log
/// ```
/// Neighbours: `send` puts messages here.
@NullMarked
package gantry.broker.delay;

import org.jspecify.annotations.NullMarked;
