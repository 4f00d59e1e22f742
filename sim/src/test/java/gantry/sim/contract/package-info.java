/// What every implementation of a seam must do, as abstract test classes; one subclass runs them against the
/// simulated implementation and one against the real one.
@NullMarked
package gantry.sim.contract;

import org.jspecify.annotations.NullMarked;
