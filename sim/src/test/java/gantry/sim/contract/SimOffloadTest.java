package gantry.sim.contract;

import gantry.base.Offload;
import gantry.sim.Life;
import gantry.sim.SimOffload;

/// Runs the contract against the simulated offload.
class SimOffloadTest extends OffloadContract {
    private final SimBed bed = new SimBed(1);
    private final Offload offload = new SimOffload(bed.scheduler, new Life("a", 0));

    @Override
    Bed bed() {
        return bed;
    }

    @Override
    Offload offload() {
        return offload;
    }
}
