package gantry.sim.contract;

import gantry.base.Offload;
import gantry.net.VirtualOffload;

/// Runs the contract against virtual threads.
class RealOffloadTest extends OffloadContract {
    private final RealBed bed = new RealBed();
    private final Offload offload = new VirtualOffload("test", 4, (level, text) -> {});

    @Override
    Bed bed() {
        return bed;
    }

    @Override
    Offload offload() {
        return offload;
    }
}
