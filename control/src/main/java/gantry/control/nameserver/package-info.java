/// The nameserver: answers who is where.
///
/// ```
///   Network ──▶ NameserverNode.accept ──▶ a session per link ──▶ handlers by request code
///                                             reads: RouteImage, lock-free, answered on the spot
///                                             writes: commands to the routes sequencer, answered from there
///   ticker  ──▶ NameserverNode.tick ──▶ expiry
/// ```
/// Neighbours: `gantry.control.routes` has the rules; `server` and `sim` build a node from the seams.
@NullMarked
package gantry.control.nameserver;

import org.jspecify.annotations.NullMarked;
