package gantry.client.route;

import gantry.wire.body.TopicRoute;
import java.util.Map;

/// Keeps routes from one run of a program to the next.
///
/// For:   a start while no nameserver answers.
/// Owner: whoever implements it; called by one thread at a time, and may block.
/// Never: the only place of anything: what is lost here is asked for again.
public interface RouteShelf {
    /// The routes that were kept, by topic; none when there are none, or when they cannot be read.
    Map<String, TopicRoute> read();

    /// Keeps these routes, instead of those before.
    void write(Map<String, TopicRoute> routes);

    /// Keeps nothing.
    static RouteShelf none() {
        return new RouteShelf() {
            @Override
            public Map<String, TopicRoute> read() {
                return Map.of();
            }

            @Override
            public void write(Map<String, TopicRoute> routes) {}
        };
    }
}
