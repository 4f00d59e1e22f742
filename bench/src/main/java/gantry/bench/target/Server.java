package gantry.bench.target;

import gantry.base.Endpoint;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A running server: one or several processes that together serve, and the folder of what they write.
///
/// For:   its figures while it lives, and its end.
/// Owner: the thread that runs the benchmark; the memory watch is a thread of its own.
/// Never: processes that it did not start: an attached server is left alone.
public final class Server implements AutoCloseable {
    private static final long WATCH_MILLIS = 100;

    private final Endpoint broker;
    private final List<Process> started;
    private final List<Long> pids;
    private final @Nullable Path folder;
    private final long startedNanos;
    private final Thread watch;
    private final Thread guard = new Thread(this::kill, "bench-guard");
    private volatile long peakAnonymous;
    private volatile boolean closed;

    /// @param started to be ended with this; empty for a server that somebody else runs
    Server(Endpoint broker, List<Process> started, List<Long> pids, @Nullable Path folder, long startedNanos) {
        this.broker = broker;
        this.started = List.copyOf(started);
        this.pids = List.copyOf(pids);
        this.folder = folder;
        this.startedNanos = startedNanos;
        // Whatever ends the benchmark also ends what it started.
        Runtime.getRuntime().addShutdownHook(guard);
        watch = Thread.ofPlatform().daemon().name("bench-memory-watch").start(this::watchMemory);
    }

    public Endpoint broker() {
        return broker;
    }

    public boolean alive() {
        return started.stream().allMatch(Process::isAlive);
    }

    public boolean attached() {
        return started.isEmpty();
    }

    public double secondsSinceStart() {
        return (System.nanoTime() - startedNanos) / 1e9;
    }

    /// CPU seconds of all its processes since they began.
    public double cpuSeconds() {
        return pids.stream().mapToDouble(ProcessFigures::cpuSeconds).sum();
    }

    /// The most resident memory at any time, mapped files included.
    public long peakResidentBytes() {
        return sum("VmHWM");
    }

    /// The most resident memory without mapped files, seen by a look every 100 ms.
    public long peakAnonymousBytes() {
        return Math.max(peakAnonymous, sum("RssAnon"));
    }

    private long sum(String field) {
        return 1024
                * pids.stream()
                        .mapToLong(pid -> ProcessFigures.kibibytes(pid, field))
                        .sum();
    }

    private void watchMemory() {
        while (!closed) {
            peakAnonymous = Math.max(peakAnonymous, sum("RssAnon"));
            try {
                TimeUnit.MILLISECONDS.sleep(WATCH_MILLIS);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    /// The last lines that its processes printed, for a user who must find out why it failed.
    public String lastWords() {
        if (folder == null) {
            return "";
        }
        StringBuilder words = new StringBuilder();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(f -> f.toString().endsWith(".out")).toList()) {
                List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
                words.append(file.getFileName()).append(":\n");
                lines.subList(Math.max(0, lines.size() - 15), lines.size())
                        .forEach(line -> words.append("  ").append(line).append('\n'));
            }
        } catch (IOException e) {
            words.append("(its output cannot be read: ").append(e.getMessage()).append(')');
        }
        return words.toString();
    }

    /// Ends its processes at once, without a clean stop: nothing is measured any more, and its folder goes too.
    @Override
    public void close() throws IOException {
        closed = true;
        watch.interrupt();
        kill();
        Runtime.getRuntime().removeShutdownHook(guard);
        if (folder != null) {
            deleteTree(folder);
        }
    }

    private void kill() {
        for (Process process : started) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        for (Process process : started) {
            try {
                process.waitFor(10, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static void deleteTree(Path root) throws IOException {
        if (!Files.exists(root)) {
            return;
        }
        try (Stream<Path> tree = Files.walk(root)) {
            for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}
