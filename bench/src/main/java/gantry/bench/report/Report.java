package gantry.bench.report;

import java.util.ArrayList;
import java.util.Formatter;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/// The table at the end of a run.
///
/// For:   a reader who wants the ratios, with the figures that they come from beside them.
/// Owner: whoever prints it.
/// Never: absolute times alone: the machine is shared, ratios of one run are what can be compared.
public final class Report {
    private static final double MEBIBYTE = 1024.0 * 1024.0;

    private final List<Measurement> all;
    private final String ours;
    private final String theirs;
    private final Formatter out = new Formatter(Locale.ROOT);

    /// @param ours whose figures stand above the line of a ratio
    /// @param theirs whose figures stand below it
    public Report(List<Measurement> all, String ours, String theirs) {
        this.all = List.copyOf(all);
        this.ours = ours;
        this.theirs = theirs;
    }

    /// @param titles a workload's name and its title, in the order to print
    public String text(List<String[]> titles) {
        for (String[] title : titles) {
            switch (title[0]) {
                case "idle" -> idle(title[0], title[1]);
                case "start" -> start(title[0], title[1]);
                default -> workload(title[0], title[1]);
            }
        }
        return out.toString();
    }

    private void workload(String name, String title) {
        if (of(name, null).isEmpty()) {
            return;
        }
        out.format("%n%s (%s)%n", title, name);
        out.format(
                "  %-9s %10s %9s %9s %9s %9s %11s %12s %9s%n",
                "", "msg/s", "p50 ms", "p99 ms", "p99.9 ms", "CPU s/M", "anon MiB", "resident MiB", "client");
        for (String target : targets()) {
            List<Measurement> rows = of(name, target);
            if (!rows.isEmpty()) {
                out.format(
                        "  %-9s %10.0f %9.2f %9.2f %9.2f %9.2f %11.0f %12.0f %9.2f%s%n",
                        target,
                        Median.of(rows, Measurement::messagesPerSecond),
                        Median.of(rows, Measurement::p50Millis),
                        Median.of(rows, Measurement::p99Millis),
                        Median.of(rows, Measurement::p999Millis),
                        Median.of(rows, Measurement::serverCpu),
                        Median.of(rows, m -> m.anonymousBytes() / MEBIBYTE),
                        Median.of(rows, m -> m.residentBytes() / MEBIBYTE),
                        Median.of(rows, Measurement::clientCpuPerMillion),
                        remarks(rows));
            }
        }
        if (!of(name, ours).isEmpty() && !of(name, theirs).isEmpty()) {
            double cpu = ratio(name, Measurement::serverCpu);
            double memory = ratio(name, m -> m.anonymousBytes());
            double throughput = ratio(name, Measurement::messagesPerSecond);
            double p50 = ratio(name, Measurement::p50Millis);
            double p99 = ratio(name, Measurement::p99Millis);
            out.format(
                    "  %-9s %10.2f %9.2f %9.2f %9.2f %9.3f %11.3f %12.3f%n",
                    "ratio",
                    throughput,
                    p50,
                    p99,
                    ratio(name, Measurement::p999Millis),
                    cpu,
                    memory,
                    ratio(name, m -> m.residentBytes()));
            out.format(
                    "  bars:%s%s%n",
                    Bar.of(name).verdicts(cpu, throughput, p50, p99),
                    Bar.atMost("memory without mapped files", memory, Bar.MEMORY));
        }
        if (name.equals("topics-10k")
                && !of(name, ours).isEmpty()
                && !of("pipe-1k", ours).isEmpty()) {
            double growth = Median.ratio(of(name, ours), of("pipe-1k", ours), Measurement::serverCpu);
            out.format("  bar:%s%n", Bar.atMost("CPU per message against our own pipe-1k", growth, Bar.MANY_TOPICS));
        }
    }

    private void idle(String name, String title) {
        if (of(name, null).isEmpty()) {
            return;
        }
        out.format("%n%s (%s)%n", title, name);
        out.format("  %-9s %20s %11s %12s%n", "", "CPU s per minute", "anon MiB", "resident MiB");
        for (String target : targets()) {
            List<Measurement> rows = of(name, target);
            if (!rows.isEmpty()) {
                out.format(
                        "  %-9s %20.2f %11.0f %12.0f%n",
                        target,
                        Median.of(rows, Measurement::serverCpu),
                        Median.of(rows, m -> m.anonymousBytes() / MEBIBYTE),
                        Median.of(rows, m -> m.residentBytes() / MEBIBYTE));
            }
        }
        if (!of(name, ours).isEmpty() && !of(name, theirs).isEmpty()) {
            out.format(
                    "  %-9s %20.3f %11.3f %12.3f%n",
                    "ratio",
                    ratio(name, Measurement::serverCpu),
                    ratio(name, m -> m.anonymousBytes()),
                    ratio(name, m -> m.residentBytes()));
        }
    }

    private void start(String name, String title) {
        if (of(name, null).isEmpty()) {
            return;
        }
        out.format("%n%s (%s)%n", title, name);
        out.format("  %-9s %10s %10s%n", "", "seconds", "CPU s");
        for (String target : targets()) {
            List<Measurement> rows = of(name, target);
            if (!rows.isEmpty()) {
                out.format(
                        "  %-9s %10.2f %10.2f%n",
                        target, Median.of(rows, Measurement::seconds), Median.of(rows, Measurement::serverCpu));
            }
        }
        if (!of(name, ours).isEmpty() && !of(name, theirs).isEmpty()) {
            double wall = ratio(name, Measurement::seconds);
            out.format("  %-9s %10.3f %10.3f%n", "ratio", wall, ratio(name, Measurement::serverCpu));
            out.format("  bar:%s%n", Bar.atMost("seconds", wall, Bar.START_SECONDS));
        }
    }

    private double ratio(String workload, ToDoubleFunction<Measurement> figure) {
        return Median.ratio(of(workload, ours), of(workload, theirs), figure);
    }

    /// What a reader must know before believing a row.
    private static String remarks(List<Measurement> rows) {
        StringBuilder remarks = new StringBuilder();
        long refused = rows.stream().mapToLong(Measurement::refused).sum();
        if (refused > 0) {
            remarks.append("  ").append(refused).append(" refused as busy");
        }
        double others = rows.stream().mapToDouble(Measurement::otherCores).max().orElse(0);
        if (others >= 0.3) {
            remarks.append(String.format(Locale.ROOT, "  others took up to %.1f processors", others));
        }
        return remarks.toString();
    }

    private List<Measurement> of(String workload, @Nullable String target) {
        return all.stream()
                .filter(m -> m.workload().equals(workload)
                        && (target == null || m.target().equals(target)))
                .toList();
    }

    private List<String> targets() {
        return new ArrayList<>(all.stream().map(Measurement::target).distinct().toList());
    }
}
