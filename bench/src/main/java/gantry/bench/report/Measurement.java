package gantry.bench.report;

/// One workload on one fresh server.
///
/// For:   everything that is known of it, for the table and for the JSON file.
/// Owner: none (immutable).
///
/// @param messages acknowledged, or pulled and checked
/// @param refused messages that a busy server sent back first
/// @param serverCpuPerMillion CPU seconds of all the server's processes per million messages; of an idle server, per
///        minute
/// @param clientCpuPerMillion the same of the load's own process, for judging whether it was in the way
/// @param otherCores how many processors something else kept busy meanwhile
/// @param anonymousBytes most resident memory without mapped files
/// @param residentBytes most resident memory
/// @param startSeconds from the start of the process to its first acknowledged send; 0 when it was not started here
/// @param startCpuSeconds CPU seconds that it took
public record Measurement(
        String target,
        String workload,
        int round,
        long messages,
        double seconds,
        double messagesPerSecond,
        double p50Millis,
        double p99Millis,
        double p999Millis,
        long refused,
        double serverCpuPerMillion,
        double clientCpuPerMillion,
        double otherCores,
        long anonymousBytes,
        long residentBytes,
        double startSeconds,
        double startCpuSeconds) {}
