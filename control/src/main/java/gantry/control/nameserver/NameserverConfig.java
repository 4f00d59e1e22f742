package gantry.control.nameserver;

import gantry.control.routes.RouteRules;

/// How a nameserver answers.
///
/// For:   configuring a `NameserverNode`.
/// Owner: none (immutable).
///
/// @param orderedTopics route answers carry the queue order of ordered topics
/// @param orderToBrokers brokers are told which topics are ordered when they register
/// @param actingMaster the smallest id of a broker without a master is shown as its master, for reading
/// @param topicListEnabled the list of all topics may be asked for
public record NameserverConfig(
        RouteRules routes,
        boolean orderedTopics,
        boolean orderToBrokers,
        boolean actingMaster,
        boolean topicListEnabled) {
    public static final NameserverConfig DEFAULT = new NameserverConfig(RouteRules.DEFAULT, false, true, false, true);
}
