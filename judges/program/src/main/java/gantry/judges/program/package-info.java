/// A program that does with Apache's own Java client what it is told on standard input, and says what it sees.
///
/// ```
///   test ── "p1 send topic=T count=100" ──▶ JudgeProgram ── Role ── official client ──▶ server under judgement
///   test ◀── "p1 sent key=… queue=… offset=…" ──┘
/// ```
/// Neighbours: nobody imports it but the judges' tests, for `Line`, `Body`; it imports nobody of ours.
@NullMarked
package gantry.judges.program;

import org.jspecify.annotations.NullMarked;
