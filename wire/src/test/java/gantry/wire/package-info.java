/// Tests that look at this module as a whole.
///
/// ```
///   valid bytes ──▶ Mutations ──▶ FuzzTest ──▶ every reader of frames and messages
/// ```
/// Neighbours: all packages of the module.
@NullMarked
package gantry.wire;

import org.jspecify.annotations.NullMarked;
