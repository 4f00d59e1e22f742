/// Tests of the load generator: its bytes against the official client's, its loop against a server made for it.
@NullMarked
package gantry.bench.load;

import org.jspecify.annotations.NullMarked;
