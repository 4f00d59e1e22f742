/// The load generator: a small client of the raw protocol that costs little beside the server it measures.
///
/// ```
///   Workload ──▶ Script (what one line asks) ──▶ Line (one connection) ◀── LoadLoop (one thread, one selector) ──▶
/// Outcome
///                   └── Template (a frame encoded once, patched)  └── AnswerHeader (code, correlation id)
/// ```
/// Neighbours: `gantry.bench` runs it against servers that `gantry.bench.target` starts. It shares no code with
/// module `wire`, so that one misreading of the protocol cannot hide in both.
@NullMarked
package gantry.bench.load;

import org.jspecify.annotations.NullMarked;
