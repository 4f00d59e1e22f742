package gantry.bench.load;

import org.HdrHistogram.Histogram;

/// What one run of the load came to.
///
/// For:   the figures that the client's side can tell.
/// Owner: none (immutable, as long as nobody records into the histogram).
///
/// @param messages acknowledged, or pulled and checked
/// @param nanos from the first request to the last answer
/// @param refused messages that a busy server did not take at first; they were asked again
/// @param latency nanoseconds per request: from being put on the line to its answer being read
/// @param clientCpuNanos of the load's own thread
public record Outcome(long messages, long nanos, long refused, Histogram latency, long clientCpuNanos) {
    public double messagesPerSecond() {
        return messages * 1e9 / nanos;
    }
}
