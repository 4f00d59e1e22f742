/// Tests of the medians, the ratios and the bars.
@NullMarked
package gantry.bench.report;

import org.jspecify.annotations.NullMarked;
