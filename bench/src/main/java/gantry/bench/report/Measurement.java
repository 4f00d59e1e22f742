package gantry.bench.report;

/// One workload on one fresh server.
///
/// For:   everything that is known of it, for the table and for the JSON file.
/// Owner: none (immutable).
///
/// @param messages acknowledged, or pulled and checked
/// @param seconds that it took; of a start, until the first acknowledged send
/// @param refused messages that a busy server sent back first
/// @param serverCpu CPU seconds of all the server's processes: per million messages; of an idle server, per
///        minute; of a start, from the process's begin to its first acknowledged send
/// @param clientCpuPerMillion CPU seconds of the load's own process, for judging whether it was in the way
/// @param otherCores how many processors something else kept busy meanwhile
/// @param anonymousBytes most resident memory without mapped files
/// @param residentBytes most resident memory
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
        double serverCpu,
        double clientCpuPerMillion,
        double otherCores,
        long anonymousBytes,
        long residentBytes) {}
