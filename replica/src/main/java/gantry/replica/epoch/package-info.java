/// Whose writes a log consists of: epochs, where each begins, and how far two logs are the same.
///
/// ```
///   epoch 3 · mark a            epoch 4 · mark b      epoch 5 · mark c
///   ├───────────────────────────┼─────────────────────┼──────────────▶ log offset
///   start of 3                  start of 4            start of 5
/// ```
/// Neighbours: `gantry.replica.frame` sends tables, `gantry.replica.member` compares them.
@NullMarked
package gantry.replica.epoch;

import org.jspecify.annotations.NullMarked;
