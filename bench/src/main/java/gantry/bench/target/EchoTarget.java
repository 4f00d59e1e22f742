package gantry.bench.target;

import gantry.base.Endpoint;
import gantry.bench.load.Workload;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// A server that reads the frames and answers them and does nothing else.
///
/// For:   the floor: what the sockets and the frames alone cost.
/// Owner: the thread that runs the benchmark.
/// Never: workloads that need stored messages.
public final class EchoTarget implements Target {
    @Override
    public String name() {
        return "echo";
    }

    @Override
    public String description() {
        return "reads every frame, answers it with a fixed send answer, stores nothing; Netty, one thread";
    }

    @Override
    public boolean fits(Workload workload) {
        return (workload.kind() == Workload.Kind.SEND && !workload.synced()) || workload.kind() == Workload.Kind.START;
    }

    @Override
    public boolean stores() {
        return false;
    }

    @Override
    public Server start(boolean synced, Path folder) throws IOException {
        int port = Commands.freePorts(1);
        long now = System.nanoTime();
        Process process = Commands.start(
                List.of(
                        Commands.java(),
                        "-Xmx128m",
                        "-XX:+UseSerialGC",
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-cp",
                        classPath(),
                        "gantry.bench.echo.EchoServer",
                        Integer.toString(port)),
                folder,
                "echo.out",
                Map.of());
        return new Server(new Endpoint("127.0.0.1", port), List.of(process), List.of(process.pid()), folder, now);
    }

    /// Ours, with whole paths, because the process starts in another folder.
    private static String classPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .collect(Collectors.joining(File.pathSeparator));
    }
}
