/// Tests of the machine's floor.
@NullMarked
package gantry.bench.floor;

import org.jspecify.annotations.NullMarked;
