/// The bytes of the native replication protocol: what they mean, and what is wrong with them.
///
/// ```
///   link ──▶ FrameReader (length, magic, type, sequence, checksum) ──▶ Hello Challenge Proof Welcome Position Verdict
///                     └── Fault: a Cause and a sentence                 Refusal, or BatchLayout AckLayout BeatLayout
/// ```
/// Neighbours: `gantry.replica.epoch` for epoch tables; `hello`, `lead` and `follow` give the frames their
/// meaning.
@NullMarked
package gantry.replica.frame;

import org.jspecify.annotations.NullMarked;
