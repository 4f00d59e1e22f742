package gantry.bench.target;

import gantry.base.Endpoint;
import gantry.bench.load.Workload;
import java.nio.file.Path;
import java.util.List;

/// A server that somebody else has started.
///
/// For:   measuring what runs already, for example under a profiler.
/// Owner: the thread that runs the benchmark.
/// Never: starts or ends it; it has no start-up figures, and CPU and memory only when its process id is told.
public final class AttachedTarget implements Target {
    private final Endpoint broker;
    private final List<Long> pids;

    public AttachedTarget(Endpoint broker, List<Long> pids) {
        this.broker = broker;
        this.pids = List.copyOf(pids);
    }

    @Override
    public String name() {
        return "attached";
    }

    @Override
    public String description() {
        return "the server at " + broker + (pids.isEmpty() ? "" : ", process " + pids);
    }

    @Override
    public boolean fits(Workload workload) {
        return workload.kind() != Workload.Kind.START;
    }

    @Override
    public Server start(boolean synced, Path folder) {
        return new Server(broker, List.of(), pids, null, System.nanoTime());
    }
}
