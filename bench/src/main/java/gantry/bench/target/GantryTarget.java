package gantry.bench.target;

import gantry.base.Endpoint;
import gantry.bench.load.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// Gantry, started as a user starts it: by the launcher, in its defaults.
///
/// For:   our side of every ratio.
/// Owner: the thread that runs the benchmark.
/// Never: options that a user would not get.
public final class GantryTarget implements Target {
    private final Path home;

    public GantryTarget(Path home) {
        this.home = home;
    }

    @Override
    public String name() {
        return "gantry";
    }

    @Override
    public String description() {
        return "./gantry standalone, all defaults but folder, ports and the flush of the SYNC_FLUSH workload";
    }

    @Override
    public boolean fits(Workload workload) {
        return true;
    }

    @Override
    public Server start(boolean synced, Path folder) throws IOException, StartFailed {
        Path launcher = home.resolve("gantry");
        if (!Files.isExecutable(launcher)) {
            throw new StartFailed("there is no launcher at " + launcher);
        }
        int first = Commands.freePorts(2);
        int broker = first + 1;
        Path settings = folder.resolve("broker.conf");
        Files.writeString(settings, synced ? "flushDiskType=SYNC_FLUSH\n" : "");
        long now = System.nanoTime();
        Process process = Commands.start(
                List.of(
                        launcher.toString(),
                        "standalone",
                        "-c",
                        settings.toString(),
                        "--data-dir",
                        folder.resolve("data").toString(),
                        "--nameserver-port",
                        Integer.toString(first),
                        "--broker-port",
                        Integer.toString(broker)),
                folder,
                "gantry.out",
                Map.of());
        return new Server(new Endpoint("127.0.0.1", broker), List.of(process), List.of(process.pid()), folder, now);
    }
}
