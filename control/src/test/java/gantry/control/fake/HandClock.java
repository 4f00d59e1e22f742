package gantry.control.fake;

import gantry.base.Clock;
import java.time.Duration;

/// Time that the test moves.
public final class HandClock implements Clock {
    private long nanos = -5;
    private long wall = 1_800_000_000_000L;

    @Override
    public long nanos() {
        return nanos;
    }

    @Override
    public long wallMillis() {
        return wall;
    }

    public void advance(Duration by) {
        nanos += by.toNanos();
        wall += by.toMillis();
    }
}
