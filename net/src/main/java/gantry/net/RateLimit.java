package gantry.net;

import java.util.concurrent.atomic.AtomicLong;

/// Lets one notice of a kind pass in ten seconds, and counts the rest.
///
/// For:   telling the operator that something happens again and again without flooding the log.
/// Owner: itself; safe from any thread.
/// Never: decides what happens, only what is told.
public final class RateLimit {
    private static final long EVERY_NANOS = 10_000_000_000L;

    private final AtomicLong nextNanos = new AtomicLong(System.nanoTime());
    private final AtomicLong held = new AtomicLong();

    public boolean allow() {
        long now = System.nanoTime();
        long next = nextNanos.get();
        if (now - next >= 0 && nextNanos.compareAndSet(next, now + EVERY_NANOS)) {
            return true;
        }
        held.incrementAndGet();
        return false;
    }

    /// The end of a sentence that was allowed: how many like it were not told since.
    public String heldBack() {
        long count = held.getAndSet(0);
        return count == 0 ? "" : " (and " + count + " more like it, not shown)";
    }
}
