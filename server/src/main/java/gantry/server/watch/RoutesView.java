package gantry.server.watch;

/// What a nameserver knows.
///
/// For:   health and metrics.
/// Owner: none (immutable).
///
/// @param brokers  by name
/// @param suspects processes that were not heard for half of their promise
/// @param stalls   how often the nameserver stood still since its start
public record RoutesView(int brokers, int suspects, long stalls) {}
