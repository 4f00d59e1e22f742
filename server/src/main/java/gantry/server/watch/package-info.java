/// What an operator's tools are shown by HTTP: health, with causes and next steps, and metrics.
///
/// ```
///   parts of the process ── published views ──▶ Sources ─▶ Seen ─▶ HealthPage  /health, /health/live, /health/ready
///                                                  └────────────▶ MetricsPage /metrics: read when asked
/// ```
/// Neighbours: `gantry.server.node` opens the port and gives the sources; the words are those of
/// `gantry.broker.query.Health` and `MemberAdvice`, which `./gantry health` shows too.
@NullMarked
package gantry.server.watch;

import org.jspecify.annotations.NullMarked;
