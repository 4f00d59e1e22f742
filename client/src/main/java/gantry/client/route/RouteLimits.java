package gantry.client.route;

import java.time.Duration;

/// How often, how long and how much a client asks nameservers.
///
/// For:   configuring a `RouteBook`.
/// Owner: none (immutable).
///
/// @param question how long one nameserver may take to answer; one that does not is asked last for a while
/// @param hedge so long the first ones may take before a further nameserver is asked as well
/// @param poll a route that is used is asked for again so often
/// @param doubtGap between two inquiries about a topic whose route is in doubt
/// @param leastSickness a nameserver that missed one answer is asked last for so long; then twice as long
/// @param mostSickness the longest
/// @param forgotten a topic that nobody asked about for so long is dropped
/// @param atOnce nameservers that are asked at the same time, so that their words can be compared
/// @param mostTopics topics that are kept
record RouteLimits(
        Duration question,
        Duration hedge,
        Duration poll,
        Duration doubtGap,
        Duration leastSickness,
        Duration mostSickness,
        Duration forgotten,
        int atOnce,
        int mostTopics) {
    static final RouteLimits DEFAULT = new RouteLimits(
            Duration.ofSeconds(1),
            Duration.ofMillis(250),
            Duration.ofSeconds(30),
            Duration.ofMillis(500),
            Duration.ofSeconds(1),
            Duration.ofSeconds(16),
            Duration.ofMinutes(10),
            3,
            10_000);
}
