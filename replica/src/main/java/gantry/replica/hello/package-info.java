/// Who is at the other end: four frames, after which each side knows that the other is a member.
///
/// ```
///   follower                                leader
///      ├── HELLO  who I say I am, nonce ──────▶│
///      │◀────────── CHALLENGE  my id, nonce ───┤   so far the leader has kept nothing but these two
///      ├── PROOF  over both ──────────────────▶│   checked; a wrong one ends it without a word
///      │◀──── WELCOME  proof over all three ───┤   checked; only now the follower says what it holds
/// ```
/// Neighbours: `gantry.replica.frame` for the bytes; `lead` and `follow` run it at the start of each link.
@NullMarked
package gantry.replica.hello;

import org.jspecify.annotations.NullMarked;
