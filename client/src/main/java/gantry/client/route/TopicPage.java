package gantry.client.route;

import gantry.base.Endpoint;
import gantry.wire.body.TopicRoute;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What is known of one topic, and the inquiry that is on its way.
///
/// For:   the entries of a `RouteBook`.
/// Owner: its `RouteBook`.
final class TopicPage {
    /// Several nameservers being asked about one topic.
    static final class Inquiry {
        final long id;
        final Set<Endpoint> asked = new LinkedHashSet<>();
        final List<String> failures = new ArrayList<>();
        long hedgeNanos;
        int outstanding;
        boolean answered;
        boolean unknown;

        Inquiry(long id) {
            this.id = id;
        }
    }

    final String topic;
    final Map<Endpoint, RouteView> views = new LinkedHashMap<>();

    @Nullable
    Inquiry inquiry;

    @Nullable
    TopicRoute route;

    boolean confirmed;
    long confirmedNanos;
    long inquiredNanos;
    long usedNanos;
    boolean doubted;

    TopicPage(String topic) {
        this.topic = topic;
    }

    boolean isFresh(RouteLimits limits, long nowNanos) {
        return confirmed
                && route != null
                && nowNanos - confirmedNanos < limits.poll().toNanos();
    }
}
