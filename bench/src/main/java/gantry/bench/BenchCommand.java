package gantry.bench;

import gantry.base.Endpoint;
import gantry.bench.floor.DiskFloor;
import gantry.bench.load.Codec;
import gantry.bench.load.LoadFailed;
import gantry.bench.load.Workload;
import gantry.bench.report.JsonFile;
import gantry.bench.report.MarkdownTable;
import gantry.bench.report.Measurement;
import gantry.bench.report.Report;
import gantry.bench.target.AttachedTarget;
import gantry.bench.target.EchoTarget;
import gantry.bench.target.GantryTarget;
import gantry.bench.target.Machine;
import gantry.bench.target.PeerTarget;
import gantry.bench.target.StartFailed;
import gantry.bench.target.Target;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// `./gantry bench`.
///
/// For:   turning flags into a campaign, and its measurements into a table.
/// Owner: the main thread.
/// Never: measures.
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Drives Gantry and Apache RocketMQ 5.5.0 with the same load, in turn, and prints both and the"
                + " ratios. docs/benchmark.md says what each figure means.")
public final class BenchCommand implements Callable<Integer> {
    @Option(names = "--rounds", defaultValue = "3", description = "rounds over all workloads (${DEFAULT-VALUE})")
    private int rounds;

    @Option(
            names = "--workload",
            paramLabel = "NAME",
            split = ",",
            description = "only this workload; may be repeated: start, one-1k, pipe-1k, pipe-128, batch-1k, batch-256,"
                    + " pull, topics-10k, create, idle, sync-1k; when asked for also topics-10, topics-100, topics-1k,"
                    + " conn-1, conn-16, conn-256, conn-2000")
    private List<String> workloadNames = List.of();

    @Option(
            names = "--only",
            paramLabel = "TARGET",
            split = ",",
            description = "only this target: peer, gantry, or the floors echo (sockets and frames alone) and disk"
                    + " (writes and syncs alone); may be repeated (peer,gantry)")
    private List<String> only = List.of();

    @Option(names = "--messages", paramLabel = "N", description = "messages to measure, instead of each workload's own")
    private long messages;

    @Option(
            names = "--seconds",
            defaultValue = "60",
            description = "no measurement takes longer than this (${DEFAULT-VALUE})")
    private long seconds;

    @Option(
            names = "--warm-up",
            paramLabel = "N",
            defaultValue = "600000",
            description = "pipelined sends to each fresh server before it is measured (${DEFAULT-VALUE})")
    private long warmUp;

    @Option(names = "--connections", defaultValue = "4", description = "connections of the load (${DEFAULT-VALUE})")
    private int connections;

    @Option(
            names = "--codec",
            defaultValue = "json",
            description = "header of the requests: json, as official clients send, or rocketmq (${DEFAULT-VALUE})")
    private Codec codec = Codec.JSON;

    @Option(
            names = "--target",
            paramLabel = "HOST:PORT",
            description = "a broker that runs already, in place of Gantry")
    private @Nullable String attached;

    @Option(names = "--pid", split = ",", description = "with --target: its processes, for CPU and memory")
    private List<Long> pids = List.of();

    @Option(names = "--data-dir", paramLabel = "DIR", description = "where the servers write (.gantry/bench)")
    private @Nullable Path dataDir;

    @Option(names = "--json", paramLabel = "FILE", description = "writes every measurement to this file")
    private @Nullable Path json;

    @Option(
            names = "--table",
            paramLabel = "FILE",
            description = "writes the medians to this file as tables in Markdown, as docs/performance.md has them")
    private @Nullable Path table;

    public static void main(String[] args) {
        System.exit(new CommandLine(new BenchCommand())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .execute(args));
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        PrintStream out = System.out;
        try {
            List<Workload> workloads = workloads();
            Path home = home();
            List<Target> targets = targets(home);
            out.println("bench: " + Machine.describe() + "; header " + codec + ", " + connections + " connections, "
                    + rounds + " rounds");
            Map<String, String> descriptions = new LinkedHashMap<>();
            for (Target target : targets) {
                descriptions.put(target.name(), target.description());
                out.println("  " + target.name() + ": " + target.description());
            }
            Path folder = dataDir == null ? home.resolve(".gantry").resolve("bench") : dataDir.toAbsolutePath();
            Subject.Options options = new Subject.Options(
                    folder, codec, connections, messages, warmUp, TimeUnit.SECONDS.toNanos(seconds));
            DiskFloor disk =
                    only.contains(DiskFloor.NAME) ? new DiskFloor(folder, TimeUnit.SECONDS.toNanos(seconds)) : null;
            if (disk != null) {
                descriptions.put(DiskFloor.NAME, DiskFloor.DESCRIPTION);
                out.println("  " + DiskFloor.NAME + ": " + DiskFloor.DESCRIPTION);
            }
            List<Measurement> all = new Campaign(options, targets, disk, workloads, rounds, out).run();
            String ours = attached == null ? "gantry" : "attached";
            out.print(new Report(all, ours, "peer")
                    .text(Stream.concat(Workload.ALL.stream(), Workload.GROWTH.stream())
                            .map(w -> new String[] {w.name(), w.title()})
                            .toList()));
            if (json != null) {
                JsonFile.write(json, Machine.describe(), descriptions, all);
            }
            if (table != null) {
                Files.writeString(table, new MarkdownTable(all, ours, "peer").text(Machine.describe(), workloads));
            }
            return 0;
        } catch (StartFailed | LoadFailed | IllegalArgumentException e) {
            System.err.println("bench: " + e.getMessage());
            return 1;
        }
    }

    private List<Workload> workloads() {
        if (workloadNames.isEmpty()) {
            return Workload.ALL;
        }
        List<Workload> chosen = new ArrayList<>();
        for (String name : workloadNames) {
            chosen.add(Workload.find(name)
                    .orElseThrow(() -> new IllegalArgumentException("there is no workload \"" + name + "\": use one of "
                            + Workload.ALL.stream().map(Workload::name).toList() + " or "
                            + Workload.GROWTH.stream().map(Workload::name).toList())));
        }
        return chosen;
    }

    private List<Target> targets(Path home) {
        List<Target> chosen = new ArrayList<>();
        List<String> servers = new ArrayList<>(only.isEmpty() ? List.of("peer", "gantry") : only);
        servers.remove(DiskFloor.NAME);
        for (String name : servers) {
            chosen.add(
                    switch (name) {
                        case "peer" -> new PeerTarget(home);
                        case "gantry" ->
                            attached == null
                                    ? new GantryTarget(home)
                                    : new AttachedTarget(Endpoint.parse(attached), pids);
                        case "echo" -> new EchoTarget();
                        default ->
                            throw new IllegalArgumentException(
                                    "there is no target \"" + name + "\": use peer, gantry, echo or disk");
                    });
        }
        return chosen;
    }

    /// The folder that holds the launcher.
    private static Path home() {
        String told = System.getProperty("gantry.home");
        Path folder = Path.of(told == null ? "" : told).toAbsolutePath();
        for (Path at = folder; at != null; at = at.getParent()) {
            if (Files.exists(at.resolve("gantry")) || Files.isDirectory(at.resolve("judges"))) {
                return at;
            }
        }
        throw new IllegalArgumentException("there is no Gantry at or above " + folder);
    }
}
