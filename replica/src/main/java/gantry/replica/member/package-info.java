/// What both sides of a link agree about: limits, promises, states, and where two logs go on together.
///
/// ```
///   LogView of the leader ──┐
///                           ├─▶ Agreement: continue, cut back, or refused by name
///   LogView of the follower ┘
/// ```
/// Neighbours: `gantry.replica.epoch` and `gantry.replica.frame` below; `lead` and `follow` use it.
@NullMarked
package gantry.replica.member;

import org.jspecify.annotations.NullMarked;
