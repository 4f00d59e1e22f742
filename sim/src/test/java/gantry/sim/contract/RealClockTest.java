package gantry.sim.contract;

import gantry.base.Clock;
import gantry.net.SystemClock;

/// Runs the contract against the machine's clock.
class RealClockTest extends ClockContract {
    private final RealBed bed = new RealBed();
    private final Clock clock = new SystemClock();

    @Override
    Bed bed() {
        return bed;
    }

    @Override
    Clock clock() {
        return clock;
    }
}
