package gantry.sim.contract;

import gantry.base.Offload;
import gantry.net.ThreadOffload;

/// Runs the contract against real threads.
class RealOffloadTest extends OffloadContract {
    private final RealBed bed = new RealBed();
    private final Offload offload = new ThreadOffload("test", 4, (level, text) -> {});

    @Override
    Bed bed() {
        return bed;
    }

    @Override
    Offload offload() {
        return offload;
    }
}
