/// Simulated TCP: what a network does to processes, without a socket.
///
/// ```
///   node ── SimNetwork (one life's door) ── SimLink ═══ Pipe ═══▶ SimLink ── FrameCutter ── Session of the peer
///                                              ◀═══════ Pipe ═══════
///   SimNet: which machines are on, which paths are blocked, every connection
/// ```
/// Bytes of one direction arrive in order and in pieces of any size, or not at all from some point on. That a piece
/// arrives does not mean that its sender is told, and that a connection is dead does not mean that anybody knows.
/// Neighbours: implements `gantry.base.Network` on `gantry.sim.SimScheduler`.
@NullMarked
package gantry.sim.net;

import org.jspecify.annotations.NullMarked;
