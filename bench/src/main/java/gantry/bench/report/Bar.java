package gantry.bench.report;

import java.util.Locale;
import java.util.Map;

/// What is promised for a workload, as ratios to the peer in the same run.
///
/// For:   saying beside each ratio whether it is what it should be.
/// Owner: none (immutable).
/// Never: absolute figures.
///
/// @param cpu most CPU per message
/// @param throughput least messages per second
/// @param p50 most of the median latency
/// @param p99 most of the 99th percentile
record Bar(double cpu, double throughput, double p50, double p99) {
    static final double START_SECONDS = 0.33;
    static final double MEMORY = 0.2;
    /// CPU per message with ten thousand topics, against our own with one.
    static final double MANY_TOPICS = 1.5;

    private static final double NONE = Double.NaN;
    private static final Bar NO_WORSE = new Bar(1, NONE, NONE, NONE);
    private static final Map<String, Bar> BARS = Map.of(
            "one-1k", new Bar(0.12, NONE, 0.33, 0.5),
            "pipe-1k", new Bar(0.12, 4, NONE, 0.25),
            "pipe-128", new Bar(0.1, 5, NONE, NONE),
            "batch-256", new Bar(0.2, 3, NONE, NONE),
            "pull", new Bar(0.25, 2, NONE, NONE),
            "sync-1k", new Bar(1, 1.5, NONE, 0.7),
            "topics-10k", new Bar(0.2, NONE, NONE, NONE),
            "create", new Bar(1, 20, NONE, NONE));

    static Bar of(String workload) {
        return BARS.getOrDefault(workload, NO_WORSE);
    }

    /// One phrase per figure that has a bar.
    String verdicts(double cpuRatio, double throughputRatio, double p50Ratio, double p99Ratio) {
        return atMost("CPU per message", cpuRatio, cpu)
                + atLeast("msg/s", throughputRatio, throughput)
                + atMost("p50", p50Ratio, p50)
                + atMost("p99", p99Ratio, p99);
    }

    static String atMost(String figure, double ratio, double bar) {
        return Double.isNaN(bar) ? "" : phrase(figure, ratio, "at most", bar, ratio <= bar);
    }

    private static String atLeast(String figure, double ratio, double bar) {
        return Double.isNaN(bar) ? "" : phrase(figure, ratio, "at least", bar, ratio >= bar);
    }

    private static String phrase(String figure, double ratio, String side, double bar, boolean kept) {
        return String.format(
                Locale.ROOT, "  %s %.3f, %s %.2f: %s;", figure, ratio, side, bar, kept ? "kept" : "MISSED");
    }
}
