/// What was measured, as medians over the rounds and as ratios within them.
///
/// Neighbours: `gantry.bench` hands in measurements and prints what comes out.
@NullMarked
package gantry.bench.report;

import org.jspecify.annotations.NullMarked;
