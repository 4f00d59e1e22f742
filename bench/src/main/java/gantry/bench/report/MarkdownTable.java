package gantry.bench.report;

import gantry.bench.load.Workload;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Formatter;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/// The medians of a run as tables in Markdown.
///
/// For:   a page of results that a command makes again.
/// Owner: whoever prints it.
/// Never: other figures than `Report` has.
public final class MarkdownTable {
    private static final double MEBIBYTE = 1024.0 * 1024.0;
    private static final String NOTHING = "–";

    private final List<Measurement> all;
    private final String ours;
    private final String theirs;
    private final Formatter out = new Formatter(Locale.ROOT);

    public MarkdownTable(List<Measurement> all, String ours, String theirs) {
        this.all = List.copyOf(all);
        this.ours = ours;
        this.theirs = theirs;
    }

    public String text(String machine, List<Workload> workloads) {
        List<Workload> measured = workloads.stream()
                .filter(w -> all.stream().anyMatch(m -> m.workload().equals(w.name())))
                .toList();
        out.format("%s; medians of %d rounds, ratios within a round.%n", machine, rounds());
        sends(measured);
        others(measured);
        return out.toString();
    }

    private void sends(List<Workload> workloads) {
        out.format("%n| workload | server | msg/s | p50 ms | p99 ms | CPU s per million | memory MiB |%n");
        out.format("|---|---|---|---|---|---|---|%n");
        for (Workload workload : workloads) {
            if (workload.kind() == Workload.Kind.IDLE || workload.kind() == Workload.Kind.START) {
                continue;
            }
            String name = workload.name();
            for (String target : targets(name)) {
                List<Measurement> rows = of(name, target);
                out.format(
                        "| %s | %s | %,.0f | %.2f | %.2f | %.2f | %s |%n",
                        name,
                        target,
                        Median.of(rows, Measurement::messagesPerSecond),
                        Median.of(rows, Measurement::p50Millis),
                        Median.of(rows, Measurement::p99Millis),
                        Median.of(rows, Measurement::serverCpu),
                        memory(rows));
            }
            if (hasBoth(name)) {
                Bar bar = Bar.of(name);
                out.format(
                        "| %s | **ratio** (bar) | %s | %s | %s | %s | %s |%n",
                        name,
                        atLeast(ratio(name, Measurement::messagesPerSecond), bar.throughput()),
                        atMost(ratio(name, Measurement::p50Millis), bar.p50()),
                        atMost(ratio(name, Measurement::p99Millis), bar.p99()),
                        atMost(ratio(name, Measurement::serverCpu), bar.cpu()),
                        atMost(ratio(name, m -> m.anonymousBytes()), Bar.MEMORY));
            }
        }
    }

    private void others(List<Workload> workloads) {
        for (Workload workload : workloads) {
            String name = workload.name();
            boolean start = workload.kind() == Workload.Kind.START;
            if (!start && workload.kind() != Workload.Kind.IDLE) {
                continue;
            }
            out.format("%n| %s | %s |%n|---|---|%n", name, start ? "seconds" : "CPU s per minute");
            ToDoubleFunction<Measurement> figure = start ? Measurement::seconds : Measurement::serverCpu;
            for (String target : targets(name)) {
                out.format("| %s | %.2f |%n", target, Median.of(of(name, target), figure));
            }
            if (hasBoth(name)) {
                out.format(
                        "| **ratio** (bar) | %s |%n",
                        atMost(ratio(name, figure), start ? Bar.START_SECONDS : Double.NaN));
            }
        }
    }

    private static String memory(List<Measurement> rows) {
        double bytes = Median.of(rows, m -> m.anonymousBytes());
        return bytes == 0 ? NOTHING : String.format(Locale.ROOT, "%.0f", bytes / MEBIBYTE);
    }

    private static String atMost(double ratio, double bar) {
        return judged(ratio, bar, "≤", ratio <= bar);
    }

    private static String atLeast(double ratio, double bar) {
        return judged(ratio, bar, "≥", ratio >= bar);
    }

    private static String judged(double ratio, double bar, String side, boolean kept) {
        return Double.isNaN(bar)
                ? String.format(Locale.ROOT, "**%.3f**", ratio)
                : String.format(Locale.ROOT, "**%.3f** (%s %.2f%s)", ratio, side, bar, kept ? "" : ", missed");
    }

    private boolean hasBoth(String workload) {
        return !of(workload, ours).isEmpty() && !of(workload, theirs).isEmpty();
    }

    private double ratio(String workload, ToDoubleFunction<Measurement> figure) {
        return Median.ratio(of(workload, ours), of(workload, theirs), figure);
    }

    private List<Measurement> of(String workload, String target) {
        return all.stream()
                .filter(m -> m.workload().equals(workload) && m.target().equals(target))
                .toList();
    }

    private List<String> targets(String workload) {
        List<String> names = new ArrayList<>(all.stream()
                .filter(m -> m.workload().equals(workload))
                .map(Measurement::target)
                .distinct()
                .toList());
        // Floors first, then the peer, then ours, so that a column reads downwards.
        names.sort(Comparator.comparingInt(name -> name.equals(ours) ? 2 : name.equals(theirs) ? 1 : 0));
        return names;
    }

    private int rounds() {
        return all.stream().mapToInt(Measurement::round).max().orElse(0);
    }
}
