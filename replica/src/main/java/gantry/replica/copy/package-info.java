/// What a member copies that cannot go on from its own log: a snapshot of the folded state, and the log from its
/// first whole segment on, as one row of bytes with positions from 0.
///
/// ```
///   position 0            snapshot's end = the log's begin            the leader's end when it was offered
///   ├── part 0 ── part 1 ──┼── whole records ─────────────────────────┤
/// ```
/// Neighbours: `gantry.replica.epoch` below; `frame` sends these, `lead` reads from them, `follow` writes to them.
@NullMarked
package gantry.replica.copy;

import org.jspecify.annotations.NullMarked;
