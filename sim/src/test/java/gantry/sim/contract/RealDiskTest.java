package gantry.sim.contract;

import gantry.store.Disk;
import gantry.store.disk.FileDisk;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/// Runs the contract against real files.
class RealDiskTest extends DiskContract {
    @TempDir
    Path root;

    private final RealBed bed = new RealBed();
    private final List<FileDisk> disks = new ArrayList<>();

    @BeforeEach
    void open() {
        ofAnotherProcess();
    }

    @AfterEach
    void close() {
        disks.forEach(FileDisk::close);
    }

    @Override
    Bed bed() {
        return bed;
    }

    @Override
    Disk disk() {
        return disks.getFirst();
    }

    @Override
    Disk ofAnotherProcess() {
        FileDisk disk = new FileDisk(root);
        disks.add(disk);
        return disk;
    }
}
