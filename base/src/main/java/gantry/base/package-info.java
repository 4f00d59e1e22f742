/// The seams between the deterministic core and the world, with the tiny helpers for owned state.
///
/// ```
///   core modules ──▶ Clock  Entropy  Network  Offload  Notices ◀── net (real)   sim (simulated)
///        └── Sequencer (one writer) ── Image, Published (what others may read) ── Invariant
/// ```
/// Neighbours: everybody imports this package; it imports nobody.
@NullMarked
package gantry.base;

import org.jspecify.annotations.NullMarked;
