/// What was promised to whom, and whether it was kept.
///
/// ```
///   producers ── attempted, acknowledged ──▶ ┌────────┐ ◀── recovered: all that the log holds after each start
///   consumers ── seen, committed, shown ───▶ │ Ledger │
///                                            └────────┘ ── SimFailure: "P1 …", "P2 …", "P3 …"
/// ```
/// Neighbours: knows neither wire nor store; whoever drives a simulation tells it what happened.
@NullMarked
package gantry.sim.check;

import org.jspecify.annotations.NullMarked;
