package gantry.bench.target;

import gantry.bench.load.Workload;
import java.io.IOException;
import java.nio.file.Path;

/// A kind of server that can be measured.
///
/// For:   starting a fresh one for every measurement.
/// Owner: the thread that runs the benchmark.
/// Never: load.
public interface Target {
    String name();

    /// One line about how it is run, for whoever reads the figures.
    String description();

    boolean fits(Workload workload);

    /// Whether what it acknowledges can be counted afterwards.
    default boolean stores() {
        return true;
    }

    /// Starts it on free ports of 127.0.0.1 and returns at once.
    ///
    /// @param folder empty, for everything it writes; deleted with the server
    Server start(boolean synced, Path folder) throws IOException, StartFailed;
}
