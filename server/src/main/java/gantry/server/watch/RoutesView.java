package gantry.server.watch;

import gantry.base.Endpoint;
import java.util.List;

/// What a nameserver knows.
///
/// For:   health and metrics.
/// Owner: none (immutable).
///
/// @param brokers  by name
/// @param suspects processes that were not heard for half of their promise
/// @param stalls   how often the nameserver stood still since its start
/// @param nameservers that answer: this one and its peers
public record RoutesView(int brokers, int suspects, long stalls, List<Endpoint> nameservers) {
    public RoutesView {
        nameservers = List.copyOf(nameservers);
    }
}
