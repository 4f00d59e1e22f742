package gantry.client.route;

import gantry.base.Endpoint;
import gantry.wire.body.TopicRoute;
import org.jspecify.annotations.Nullable;

/// What has to happen outside of a `RouteBook`.
///
/// For:   the owner of the book, which carries the steps out in their order.
/// Owner: none (immutable).
sealed interface RouteStep {
    /// Ask this nameserver for the route of a topic, and tell the book how it went.
    record Ask(Endpoint nameserver, String topic, long inquiry) implements RouteStep {}

    /// Whoever waits for this topic can go on.
    ///
    /// @param route null when no nameserver knows the topic
    record Settled(String topic, @Nullable TopicRoute route) implements RouteStep {}

    /// Nobody answered, and nothing was known.
    record Failed(String topic, String sentence) implements RouteStep {}

    /// This nameserver is on the list no more.
    record Close(Endpoint nameserver) implements RouteStep {}
}
