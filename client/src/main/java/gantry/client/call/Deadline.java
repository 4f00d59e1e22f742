package gantry.client.call;

import gantry.base.Clock;
import java.time.Duration;

/// The time by which something of several steps has to be done.
///
/// For:   giving each step what is left, or a share of it.
/// Owner: none (immutable).
/// Never: waits.
public record Deadline(Clock clock, long endNanos) {
    public static Deadline after(Clock clock, Duration limit) {
        return new Deadline(clock, clock.nanos() + limit.toNanos());
    }

    /// Zero when it has passed.
    public Duration left() {
        return Duration.ofNanos(Math.max(0, endNanos - clock.nanos()));
    }

    /// What each of `steps` may take if all take the same.
    public Duration share(int steps) {
        return left().dividedBy(Math.max(1, steps));
    }

    public boolean hasPassed() {
        return endNanos - clock.nanos() <= 0;
    }
}
