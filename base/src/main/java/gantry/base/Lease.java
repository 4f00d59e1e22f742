package gantry.base;

import java.util.concurrent.atomic.AtomicInteger;

/// Counts who uses a resource, and closes it once its owner has ended it and the last user is done.
///
/// For:   mapped files and locks that must not go away under somebody's hands.
/// Owner: itself; safe from any thread.
/// Holds: LEASE-1 the closer runs exactly once, after `end` and after the last `giveBack`.
public final class Lease {
    /// Everybody who took it and has not given it back, and the owner until `end`.
    private final AtomicInteger holders = new AtomicInteger(1);

    private final Runnable closer;

    /// @param closer runs on whichever thread is the last to let go
    public Lease(Runnable closer) {
        this.closer = closer;
    }

    /// @return false when it is closed already; then it must not be used, nor given back
    public boolean take() {
        int now = holders.get();
        while (now > 0) {
            int seen = holders.compareAndExchange(now, now + 1);
            if (seen == now) {
                return true;
            }
            now = seen;
        }
        return false;
    }

    public void giveBack() {
        letGo();
    }

    /// The owner's part; called once.
    public void end() {
        letGo();
    }

    private void letGo() {
        int left = holders.decrementAndGet();
        Invariant.check(left >= 0, "LEASE-1 a lease is given back more often than it was taken");
        if (left == 0) {
            closer.run();
        }
    }
}
