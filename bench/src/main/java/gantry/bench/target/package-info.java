/// The servers that are measured, each in processes of its own, and what the kernel says about these processes.
///
/// ```
///   Target (peer | gantry | echo | attached) ── start ──▶ Server ── cpuSeconds, memory ──▶ ProcessFigures (/proc)
/// ```
/// Neighbours: `gantry.bench` starts and stops servers through this package; `gantry.bench.load` loads them.
@NullMarked
package gantry.bench.target;

import org.jspecify.annotations.NullMarked;
