/// Tests of what the kernel is asked.
@NullMarked
package gantry.bench.target;

import org.jspecify.annotations.NullMarked;
