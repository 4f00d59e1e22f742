package gantry.control.routes;

import gantry.base.Require;
import java.time.Duration;

/// What the route table does where peers differ, and how much it takes.
///
/// For:   configuring a `RouteTable`.
/// Owner: none (immutable).
///
/// @param brokerTimeout for brokers that promise nothing else
/// @param registrationReplaces a registration takes away the topics that it does not list; off, because Apache brokers
///        send parts of their table the same way as the whole
/// @param tellMinimumId members of a broker are told when the smallest living id changes
/// @param maxBrokers broker processes; more are refused
/// @param maxTopicEntries topics times the brokers that have them; more are refused
public record RouteRules(
        Duration brokerTimeout,
        boolean registrationReplaces,
        boolean tellMinimumId,
        int maxBrokers,
        int maxTopicEntries) {
    public static final RouteRules DEFAULT = new RouteRules(Duration.ofMinutes(2), false, false, 4_096, 1_000_000);

    public RouteRules {
        Require.that(brokerTimeout.isPositive(), "a broker's time limit must be positive");
        Require.that(maxBrokers > 0, "a nameserver must take one broker at least");
        Require.that(maxTopicEntries > 0, "a nameserver must take one topic at least");
    }
}
