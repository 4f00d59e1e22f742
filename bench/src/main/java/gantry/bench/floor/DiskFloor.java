package gantry.bench.floor;

import gantry.bench.load.Workload;
import gantry.bench.report.Measurement;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/// A file to which the records of a workload are appended, and nothing else.
///
/// ```
///   a burst of records ─▶ one write ─▶ (where a send is answered only once it is on disk) one sync ─▶ the next
/// ```
/// For:   the floor of what a broker that keeps messages can cost on this machine, in the same minute.
/// Owner: the thread that runs the benchmark.
/// Never: sockets (see `gantry.bench.echo`).
public final class DiskFloor {
    public static final String NAME = "disk";
    public static final String DESCRIPTION =
            "one thread appends records of the workload's size to a new file, 64 (or a batch) at a time, and syncs"
                    + " where the workload does; no sockets";

    /// What a stored message has beside its body: its head, a topic's name and an official client's properties.
    private static final int RECORD_HEAD_BYTES = 190;

    private static final int BURST = 64;
    private static final double MILLION = 1e6;

    private final Path folder;
    private final long limitNanos;

    public DiskFloor(Path folder, long limitNanos) {
        this.folder = folder;
        this.limitNanos = limitNanos;
    }

    public boolean fits(Workload workload) {
        return workload.kind() == Workload.Kind.SEND && workload.topics() == 1 && workload.connections() == 0;
    }

    /// CPU is that of the writing thread; a percentile is that of one write (and sync), so of a burst.
    public Measurement measure(Workload workload, int round) throws IOException {
        Files.createDirectories(folder);
        Path file = Files.createTempFile(folder, "disk-", ".floor");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            return measure(workload, round, channel);
        } finally {
            Files.delete(file);
        }
    }

    private Measurement measure(Workload workload, int round, FileChannel channel) throws IOException {
        int perWrite = Math.min(BURST, Math.max(workload.inFlight(), 1)) * workload.perRequest();
        ByteBuffer burst = ByteBuffer.allocateDirect(perWrite * (workload.bodyBytes() + RECORD_HEAD_BYTES));
        Histogram latency = new Histogram(TimeUnit.MINUTES.toNanos(2), 3);
        long cpuBefore = cpuNanos();
        long began = System.nanoTime();
        long position = 0;
        long written = 0;
        long now = began;
        while (written < workload.messages() && now - began < limitNanos) {
            burst.clear();
            position += channel.write(burst, position);
            if (workload.synced()) {
                channel.force(false);
            }
            long after = System.nanoTime();
            latency.recordValue(after - now);
            now = after;
            written += perWrite;
        }
        double seconds = (now - began) / 1e9;
        return new Measurement(
                NAME,
                workload.name(),
                round,
                written,
                seconds,
                written / seconds,
                latency.getValueAtPercentile(50) / MILLION,
                latency.getValueAtPercentile(99) / MILLION,
                latency.getValueAtPercentile(99.9) / MILLION,
                0,
                (cpuNanos() - cpuBefore) / 1e9 / (written / MILLION),
                0,
                0,
                0,
                0);
    }

    private static long cpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }
}
