package gantry.client.call;

import gantry.base.Clock;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/// A clock that stands still until it is moved.
public final class HandClock implements Clock {
    private final AtomicLong nanos = new AtomicLong(1_000);

    @Override
    public long nanos() {
        return nanos.get();
    }

    @Override
    public long wallMillis() {
        return 1_800_000_000_000L + nanos.get() / 1_000_000;
    }

    public void move(Duration ahead) {
        nanos.addAndGet(ahead.toNanos());
    }
}
