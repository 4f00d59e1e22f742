package gantry.sim.contract;

import gantry.base.Entropy;
import gantry.net.SystemEntropy;

/// Runs the contract against the machine's entropy.
class RealEntropyTest extends EntropyContract {
    private final Entropy entropy = new SystemEntropy();

    @Override
    Entropy entropy() {
        return entropy;
    }
}
