/// Tests of the store, on a disk in memory that loses power on demand.
@NullMarked
package gantry.store;

import org.jspecify.annotations.NullMarked;
