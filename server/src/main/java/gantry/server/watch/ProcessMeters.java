package gantry.server.watch;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryUsage;
import java.nio.file.Files;
import java.nio.file.Path;

/// The metrics of a Java process, under the names that dashboards know.
///
/// For:   `/metrics`; nothing of it is loaded before the first scrape.
/// Owner: none (stateless).
final class ProcessMeters {
    private static final Path STATM = Path.of("/proc/self/statm");
    private static final long PAGE_BYTES = 4096;

    private ProcessMeters() {}

    static void add(Meters out) {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        Meters.Rows used = new Meters.Rows();
        Meters.Rows most = new Meters.Rows();
        area(used, most, "heap", memory.getHeapMemoryUsage());
        area(used, most, "nonheap", memory.getNonHeapMemoryUsage());
        out.gauge("jvm_memory_used_bytes", "Memory in use, of the heap and beside it.", used);
        out.gauge("jvm_memory_max_bytes", "The most it may become; absent without a limit.", most);
        Meters.Rows pools = new Meters.Rows();
        for (BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class)) {
            pools.put(pool.getMemoryUsed(), "pool", pool.getName());
        }
        out.gauge("jvm_buffer_pool_used_bytes", "Memory of buffers outside the heap.", pools);
        Meters.Rows collections = new Meters.Rows();
        Meters.Rows paused = new Meters.Rows();
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            collections.put(collector.getCollectionCount(), "gc", collector.getName());
            paused.put(collector.getCollectionTime() / 1000.0, "gc", collector.getName());
        }
        out.counter("jvm_gc_collections", "Garbage collections.", collections);
        out.counter("jvm_gc_collection_seconds", "Time they took.", paused);
        out.gauge(
                "jvm_threads_current",
                "Threads.",
                ManagementFactory.getThreadMXBean().getThreadCount());
        out.gauge(
                "process_start_time_seconds",
                "When the process started, in seconds since 1970.",
                ManagementFactory.getRuntimeMXBean().getStartTime() / 1000.0);
        long resident = residentBytes();
        if (resident > 0) {
            out.gauge("process_resident_memory_bytes", "Memory of the process that is not swapped out.", resident);
        }
        if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system) {
            out.counter("process_cpu_seconds", "Processor time.", system.getProcessCpuTime() / 1e9);
            out.gauge("process_open_fds", "Open files and sockets.", system.getOpenFileDescriptorCount());
            out.gauge("process_max_fds", "The most there may be (ulimit -n).", system.getMaxFileDescriptorCount());
        }
    }

    /// Linux says it in pages; elsewhere it is not known.
    private static long residentBytes() {
        try {
            String[] words = Files.readString(STATM).split(" ", -1);
            return words.length > 1 ? Long.parseLong(words[1]) * PAGE_BYTES : 0;
        } catch (IOException | NumberFormatException e) {
            // Not Linux.
            return 0;
        }
    }

    private static void area(Meters.Rows used, Meters.Rows most, String area, MemoryUsage usage) {
        used.put(usage.getUsed(), "area", area);
        if (usage.getMax() >= 0) {
            most.put(usage.getMax(), "area", area);
        }
    }
}
