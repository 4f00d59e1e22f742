/// Parts of the log that two members compare by digest, and that one gives to the other again.
///
/// ```
///   rotten here ──▶ Mending ── RANGE_REQUEST ──▶ RangeLink of the other ── looks ──▶ RANGE ──▶ Mending ──▶ the log
/// ```
/// Neighbours: `gantry.replica.frame` below; `lead` walks and compares, `follow` answers.
@NullMarked
package gantry.replica.range;

import org.jspecify.annotations.NullMarked;
