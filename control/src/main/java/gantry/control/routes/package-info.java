/// Who is where: which brokers live, and which topics they have, as a state machine without clock, socket or thread.
///
/// ```
///   registrations, heartbeats, closed sessions, ticks ──▶ RouteTable ──▶ RouteImage (immutable, read by anybody)
///                                                             └──▶ effects: links to close, members to tell
/// ```
/// Neighbours: `gantry.control.nameserver` feeds it from sessions and answers from its image.
@NullMarked
package gantry.control.routes;

import org.jspecify.annotations.NullMarked;
