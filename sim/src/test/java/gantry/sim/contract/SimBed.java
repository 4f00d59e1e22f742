package gantry.sim.contract;

import gantry.sim.SimScheduler;
import java.util.function.BooleanSupplier;

/// Simulated time on one thread.
///
/// For:   contract tests of simulated seams.
final class SimBed implements Bed {
    private static final long LONGEST_NANOS = 30 * SimScheduler.SECOND;

    final SimScheduler scheduler;

    SimBed(long seed) {
        scheduler = new SimScheduler(seed, null);
    }

    @Override
    public void until(String what, BooleanSupplier holds) {
        long end = scheduler.nanos() + LONGEST_NANOS;
        while (!holds.getAsBoolean()) {
            if (scheduler.nanos() > end || !scheduler.step()) {
                throw new AssertionError(what + ": not within 30 simulated seconds, seed " + scheduler.seed());
            }
        }
    }

    @Override
    public void settle() {
        scheduler.runUntil(scheduler.nanos() + 5 * SimScheduler.SECOND);
    }
}
