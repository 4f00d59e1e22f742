package gantry.control.nameserver;

import gantry.base.Require;
import gantry.control.routes.RouteRules;
import java.time.Duration;

/// How a nameserver answers.
///
/// For:   configuring a `NameserverNode`.
/// Owner: none (immutable).
///
/// @param orderedTopics route answers carry the queue order of ordered topics
/// @param orderToBrokers brokers are told which topics are ordered when they register
/// @param actingMaster the smallest id of a broker without a master is shown as its master, for reading
/// @param topicListEnabled the list of all topics may be asked for
/// @param firstWords so soon after a start, or after we stood still, a topic that nobody has registered may be
///        there all the same, and that is what is answered
/// @param silence so soon after a start nobody is told any route
public record NameserverConfig(
        RouteRules routes,
        boolean orderedTopics,
        boolean orderToBrokers,
        boolean actingMaster,
        boolean topicListEnabled,
        Duration firstWords,
        Duration silence) {
    /// Brokers come back within two seconds.
    public static final Duration FIRST_WORDS = Duration.ofSeconds(3);

    public static final NameserverConfig DEFAULT =
            new NameserverConfig(RouteRules.DEFAULT, false, true, false, true, FIRST_WORDS, Duration.ZERO);

    public NameserverConfig {
        Require.that(!firstWords.isNegative() && !silence.isNegative(), "a time to wait cannot be negative");
    }

    /// For a process that has its broker in it, which is there when the process is.
    public NameserverConfig withItsBroker() {
        return new NameserverConfig(
                routes, orderedTopics, orderToBrokers, actingMaster, topicListEnabled, Duration.ZERO, silence);
    }
}
