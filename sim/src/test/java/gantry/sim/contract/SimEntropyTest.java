package gantry.sim.contract;

import gantry.base.Entropy;
import gantry.sim.Life;
import gantry.sim.SimEntropy;

/// Runs the contract against the simulated entropy.
class SimEntropyTest extends EntropyContract {
    private final Entropy entropy = new SimEntropy(new SimBed(1).scheduler, new Life("a", 0));

    @Override
    Entropy entropy() {
        return entropy;
    }
}
