package gantry.sim.contract;

import gantry.base.Clock;
import gantry.sim.SimClock;

/// Runs the contract against the simulated clock, whose nanos overflow.
class SimClockTest extends ClockContract {
    private final SimBed bed = new SimBed(1);
    private final Clock clock = new SimClock(bed.scheduler, Long.MAX_VALUE - 1000);

    @Override
    Bed bed() {
        return bed;
    }

    @Override
    Clock clock() {
        return clock;
    }
}
