package gantry.bench.target;

import gantry.base.Endpoint;
import gantry.bench.load.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Apache RocketMQ: a nameserver and a broker, in their defaults but for addresses, folders and heap.
///
/// For:   the other side of every ratio.
/// Owner: the thread that runs the benchmark.
/// Never: tuned for or against; what differs from its own start scripts is said in `description`.
public final class PeerTarget implements Target {
    private static final String HEAP = "2g";
    private static final String NAMESERVER_HEAP = "256m";
    private static final List<String> OPENED = List.of(
            "--add-opens=java.base/java.nio=ALL-UNNAMED",
            "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
            "--enable-native-access=ALL-UNNAMED");

    private final Path home;
    private @Nullable Path jars;

    public PeerTarget(Path home) {
        this.home = home;
    }

    @Override
    public String name() {
        return "peer";
    }

    @Override
    public String description() {
        return "Apache RocketMQ " + PeerJars.VERSION + ", nameserver and broker started together; broker with -Xms"
                + HEAP
                + " -Xmx" + HEAP
                + " and the collector settings of its run script (which asks for 8 GiB and touches them"
                + " all at start; here it need not), nameserver with " + NAMESERVER_HEAP + "; all else default";
    }

    @Override
    public boolean fits(Workload workload) {
        return true;
    }

    @Override
    public Server start(boolean synced, Path folder) throws IOException, StartFailed {
        Path lib = jars == null ? PeerJars.find(home) : jars;
        jars = lib;
        int routes = Commands.freePorts(1);
        int first = Commands.freePorts(4);
        int port = first + 2; // it opens a second port two below
        Files.writeString(folder.resolve("nameserver.conf"), nameserverConf(folder, routes));
        Files.writeString(folder.resolve("broker.conf"), brokerConf(folder, routes, port, synced));
        long now = System.nanoTime();
        List<Process> processes = new ArrayList<>();
        try {
            processes.add(launch(
                    folder,
                    lib,
                    "nameserver",
                    List.of("-Xms" + NAMESERVER_HEAP, "-Xmx" + NAMESERVER_HEAP),
                    "org.apache.rocketmq.namesrv.NamesrvStartup"));
            processes.add(launch(folder, lib, "broker", brokerOptions(), "org.apache.rocketmq.broker.BrokerStartup"));
        } catch (IOException e) {
            processes.forEach(Process::destroyForcibly);
            throw e;
        }
        return new Server(
                new Endpoint("127.0.0.1", port),
                processes,
                processes.stream().map(Process::pid).toList(),
                folder,
                now);
    }

    private static Process launch(Path folder, Path lib, String role, List<String> options, String mainClass)
            throws IOException {
        List<String> command = new ArrayList<>(List.of(Commands.java()));
        command.addAll(options);
        command.addAll(OPENED);
        // Its logs go below user.home.
        command.addAll(List.of("-Duser.home=" + folder.resolve(role), "-cp", lib + "/*", mainClass));
        command.addAll(List.of("-c", folder.resolve(role + ".conf").toString()));
        return Commands.start(command, folder, role + ".out", Map.of("ROCKETMQ_HOME", folder.toString()));
    }

    private static List<String> brokerOptions() {
        return List.of(
                "-Xms" + HEAP,
                "-Xmx" + HEAP,
                "-XX:+UseG1GC",
                "-XX:G1HeapRegionSize=16m",
                "-XX:G1ReservePercent=25",
                "-XX:InitiatingHeapOccupancyPercent=30",
                "-XX:SoftRefLRUPolicyMSPerMB=0",
                "-XX:-OmitStackTraceInFastThrow");
    }

    private static String nameserverConf(Path folder, int port) {
        return """
            rocketmqHome=%s
            bindAddress=127.0.0.1
            listenPort=%d
            kvConfigPath=%s/nameserver-kv.json
            configStorePath=%s/nameserver.properties
            """.formatted(folder, port, folder, folder);
    }

    private static String brokerConf(Path folder, int routes, int port, boolean synced) {
        return """
            rocketmqHome=%s
            brokerClusterName=bench
            brokerName=bench
            brokerId=0
            brokerIP1=127.0.0.1
            bindAddress=127.0.0.1
            namesrvAddr=127.0.0.1:%d
            listenPort=%d
            haListenPort=%d
            storePathRootDir=%s/store
            storePathCommitLog=%s/store/commitlog
            flushDiskType=%s
            diskMaxUsedSpaceRatio=95
            """.formatted(folder, routes, port, port + 1, folder, folder, synced ? "SYNC_FLUSH" : "ASYNC_FLUSH");
    }
}
