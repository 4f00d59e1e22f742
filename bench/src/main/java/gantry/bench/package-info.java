/// The benchmark: the same load on Gantry and on Apache RocketMQ, in one run, round by round.
///
/// ```
///   BenchCommand ──▶ Campaign: rounds × workloads × targets ──▶ Trial: one fresh server, one workload ──▶ Measurement
///                        │                                         ├── target: processes, CPU, memory
///                        └──▶ report: medians, ratios, bars         └── load: the client
/// ```
/// Neighbours: only the launcher starts it; nothing imports it.
@NullMarked
package gantry.bench;

import org.jspecify.annotations.NullMarked;
