package gantry.net;

import gantry.base.Clock;

/// The machine's clock.
///
/// For:   real processes; everything in the core takes it as a `Clock`.
/// Owner: none (stateless).
/// Never: waits.
public final class SystemClock implements Clock {
    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public long wallMillis() {
        return System.currentTimeMillis();
    }
}
