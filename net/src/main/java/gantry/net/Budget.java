package gantry.net;

import java.util.concurrent.atomic.AtomicLong;

/// Bytes of direct memory that many links share.
///
/// For:   a limit over all links, so that no crowd of them can take the machine's memory.
/// Owner: itself; safe from any thread.
/// Never: allocates.
final class Budget {
    private final long limitBytes;
    private final AtomicLong used = new AtomicLong();

    Budget(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    /// Takes `bytes` unless that passes the limit; then nothing is taken.
    boolean take(long bytes) {
        if (used.addAndGet(bytes) <= limitBytes) {
            return true;
        }
        used.addAndGet(-bytes);
        return false;
    }

    /// Takes `bytes` whether or not they fit; whoever calls has looked at `isSpent`.
    void takeAlways(long bytes) {
        used.addAndGet(bytes);
    }

    void give(long bytes) {
        used.addAndGet(-bytes);
    }

    boolean isSpent() {
        return used.get() >= limitBytes;
    }

    long usedBytes() {
        return used.get();
    }

    long limitBytes() {
        return limitBytes;
    }
}
