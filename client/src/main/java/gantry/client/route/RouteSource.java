package gantry.client.route;

import gantry.wire.body.TopicRoute;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// Says where topics are.
///
/// For:   producers and consumers, which neither know nor care how many nameservers there are.
/// Owner: whoever implements it; safe from any thread.
/// Never: blocks.
public interface RouteSource {
    /// The route of a topic: what is known if it is fresh, else what nameservers say, else what was known last.
    ///
    /// @return completes within `limit`: with the route, with null when no nameserver knows the topic, or with a
    ///         `CallFailed` when none answered and nothing was known
    CompletableFuture<@Nullable TopicRoute> find(String topic, Duration limit);

    /// What is known of a topic now, however old; null when nothing is.
    @Nullable
    TopicRoute known(String topic);

    /// A broker of this topic failed somebody: its route is asked for again soon, also while it is fresh.
    void doubt(String topic);
}
