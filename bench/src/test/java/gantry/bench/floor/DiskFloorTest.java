package gantry.bench.floor;

import static org.assertj.core.api.Assertions.assertThat;

import gantry.bench.load.Workload;
import gantry.bench.report.Measurement;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The floor writes what the workload would, and leaves nothing behind.
class DiskFloorTest {
    @TempDir
    Path folder;

    @Test
    void writesAsManyRecordsAsTheWorkloadHasAndDeletesThem() throws Exception {
        Workload workload = Workload.find("pipe-128").orElseThrow();
        Measurement floor = new DiskFloor(folder, TimeUnit.MINUTES.toNanos(1)).measure(workload, 1);

        assertThat(floor.messages()).isGreaterThanOrEqualTo(workload.messages());
        assertThat(floor.serverCpu()).isPositive();
        try (var files = Files.list(folder)) {
            assertThat(files).isEmpty();
        }
    }

    @Test
    void isBoundedInTime() throws Exception {
        Measurement floor =
                new DiskFloor(folder, 1).measure(Workload.find("sync-1k").orElseThrow(), 1);
        assertThat(floor.messages()).isLessThan(1_000);
    }
}
