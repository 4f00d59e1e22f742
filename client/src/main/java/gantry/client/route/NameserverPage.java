package gantry.client.route;

import gantry.base.Endpoint;

/// How one nameserver has behaved.
///
/// For:   asking those first that answer.
/// Owner: its `RouteBook`.
/// Never: gives one up: a sick nameserver is asked last, not never.
final class NameserverPage {
    final Endpoint address;
    private int missed;
    private long sickUntilNanos;

    NameserverPage(Endpoint address) {
        this.address = address;
    }

    void answered() {
        missed = 0;
    }

    void missed(RouteLimits limits, long nowNanos) {
        long doubled = limits.leastSickness().toNanos() << Math.min(missed, 10);
        sickUntilNanos = nowNanos + Math.min(doubled, limits.mostSickness().toNanos());
        missed++;
    }

    boolean isSick(long nowNanos) {
        return missed > 0 && sickUntilNanos - nowNanos > 0;
    }
}
