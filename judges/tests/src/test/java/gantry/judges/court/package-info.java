/// The court: who is judged (`Peer`), by whom (`Judge`), and what was said (`Transcript`).
///
/// ```
///   tests ──▶ Court ──▶ Peer: GantryPeer | ApachePeer ── a server process, killed and started again
///                └────▶ Judge ── a JudgeProgram process with the client 4.9.8 or 5.5.0 ── Talk: one role of it
/// ```
/// Neighbours: the judges' tests import it; it imports `gantry.judges.program` for the lines that are spoken.
@NullMarked
package gantry.judges.court;

import org.jspecify.annotations.NullMarked;
