package gantry.client.produce;

import gantry.base.Endpoint;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/// How well brokers answer sends, and which of them are better left alone for now.
///
/// For:   sending to those that answer, quickly finding out who does not, and coming back to who does again.
/// Owner: the send sequencer; time is an argument.
/// Never: leaves out a broker for good: after its time one request is let through, and its answer decides.
/// Holds: HEALTH-1 while another is well, a broker that failed gets one request at a time until it has answered.
///
/// ```
///   WELL ── failed ──▶ SICK for 1 s, twice as long each time, at most 15 s ── time over ──▶ PROBED by one request
///    ▲                  ▲───────────────────── failed ────────────────────────────────────────┤
///    └───────────────────────────────────────── answered ─────────────────────────────────────┘
///   WELL ── answered much later than usual ──▶ SLOW: left out twice as long as that took, at most 15 s ──▶ WELL
/// ```
final class BrokerHealth {
    static final Duration LEAST_AVOIDED = Duration.ofSeconds(1);
    static final Duration MOST_AVOIDED = Duration.ofSeconds(15);

    /// An answer that takes so long, and `SLOW_TIMES` the usual time of the quickest broker, makes a broker slow.
    static final Duration SLOW = Duration.ofMillis(500);

    static final int SLOW_TIMES = 8;

    /// So long a broker gets to answer at least, before another one is tried.
    static final Duration LEAST_PATIENCE = Duration.ofMillis(600);

    /// And at most, or twice its usual time: two tries have to fit into what a hung broker may cost.
    static final Duration MOST_PATIENCE = Duration.ofSeconds(2);

    /// Between them it gets so many times its usual time.
    static final int PATIENCE_TIMES = 8;

    /// Brokers that are kept in mind; the one that was not used for longest is forgotten.
    private static final int MOST_BROKERS = 4096;

    private static final int SMOOTHING = 8;

    private static final class Page {
        long usualNanos;
        long avoidedUntilNanos;
        int failures;
        boolean isAvoided;
        boolean isProbed;
    }

    private final Map<Endpoint, Page> pages = new LinkedHashMap<>(16, 0.75f, true);

    /// Whether a request may go there now while others are well.
    boolean isWell(Endpoint broker, long nowNanos) {
        Page page = pages.get(broker);
        return page == null
                || !page.isAvoided
                || (page.avoidedUntilNanos - nowNanos <= 0 && !(page.failures > 0 && page.isProbed));
    }

    /// Of two that are not well, the one that is better worth a try: slow rather than failing, else whoever is left out
    /// for less time.
    Endpoint lessUnwell(Endpoint one, Endpoint other) {
        Page first = page(one);
        Page second = page(other);
        if ((first.failures == 0) != (second.failures == 0)) {
            return first.failures == 0 ? one : other;
        }
        return first.avoidedUntilNanos - second.avoidedUntilNanos <= 0 ? one : other;
    }

    /// How long a request to it may take before another broker is tried.
    Duration patience(Endpoint broker) {
        Page page = pages.get(broker);
        long usual = page == null ? 0 : page.usualNanos;
        long most = Math.max(MOST_PATIENCE.toNanos(), 2 * usual);
        return Duration.ofNanos(Math.clamp(PATIENCE_TIMES * usual, LEAST_PATIENCE.toNanos(), most));
    }

    /// A request goes there.
    void begins(Endpoint broker) {
        Page page = page(broker);
        page.isProbed = page.failures > 0;
    }

    void answered(Endpoint broker, long tookNanos, long nowNanos) {
        Page page = page(broker);
        page.failures = 0;
        page.isProbed = false;
        page.usualNanos =
                page.usualNanos == 0 ? tookNanos : page.usualNanos + (tookNanos - page.usualNanos) / SMOOTHING;
        boolean slow = tookNanos >= SLOW.toNanos() && tookNanos >= SLOW_TIMES * quickest();
        page.isAvoided = slow;
        if (slow) {
            page.avoidedUntilNanos = nowNanos + Math.min(2 * tookNanos, MOST_AVOIDED.toNanos());
        }
    }

    void failed(Endpoint broker, long nowNanos) {
        Page page = page(broker);
        long doubled = LEAST_AVOIDED.toNanos() << Math.min(page.failures, 10);
        page.failures++;
        page.isProbed = false;
        page.isAvoided = true;
        page.avoidedUntilNanos = nowNanos + Math.min(doubled, MOST_AVOIDED.toNanos());
    }

    private long quickest() {
        long quickest = Long.MAX_VALUE / SLOW_TIMES;
        for (Page page : pages.values()) {
            if (page.usualNanos > 0 && page.failures == 0) {
                quickest = Math.min(quickest, page.usualNanos);
            }
        }
        return quickest;
    }

    private Page page(Endpoint broker) {
        Page page = pages.computeIfAbsent(broker, b -> new Page());
        if (pages.size() > MOST_BROKERS) {
            pages.remove(pages.keySet().iterator().next());
        }
        return page;
    }
}
