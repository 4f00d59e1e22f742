package gantry.sim.contract;

import java.util.function.BooleanSupplier;

/// Where a contract is tested: a real machine or a simulated one.
///
/// For:   waiting in the way of the place, with real threads or by letting simulated events happen.
interface Bed {
    /// Lets time pass until `holds`; fails with `what` when that takes too long.
    void until(String what, BooleanSupplier holds);

    /// Lets a little time pass, so that what must not happen has its chance to.
    void settle();
}
