/// A world in one thread, from one seed: time, chance and waiting work behind the seams of `gantry.base`.
///
/// ```
///   SimScheduler (virtual time, one queue of events, one hash) ◀── SimClock  SimEntropy  SimOffload
///        ▲                                                     ◀── gantry.sim.net   gantry.sim.disk
///        └── Life: one run of one process; it can be paused or ended between any two events
/// ```
/// Neighbours: test scope only. The same nodes run here and in a real process; nothing depends on this module
/// at run time.
@NullMarked
package gantry.sim;

import org.jspecify.annotations.NullMarked;
