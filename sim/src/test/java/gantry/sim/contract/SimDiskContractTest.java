package gantry.sim.contract;

import gantry.sim.Life;
import gantry.sim.disk.SimDisk;
import gantry.store.Disk;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/// Runs the contract against the simulated disk without faults, with several seeds.
@ParameterizedClass
@ValueSource(longs = {1, 2, 3})
class SimDiskContractTest extends DiskContract {
    private final SimBed bed;
    private final SimDisk platter;
    private final Disk disk;

    SimDiskContractTest(long seed) {
        bed = new SimBed(seed);
        platter = new SimDisk(bed.scheduler, "10.0.0.1");
        disk = platter.mount(new Life("10.0.0.1", 0));
    }

    @AfterEach
    void close() {
        platter.close();
    }

    @Override
    Bed bed() {
        return bed;
    }

    @Override
    Disk disk() {
        return disk;
    }

    @Override
    Disk ofAnotherProcess() {
        return platter.mount(new Life("10.0.0.1", 1));
    }
}
