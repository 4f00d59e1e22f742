package gantry.sim;

import gantry.base.Clock;

/// The clock of one simulated machine.
///
/// For:   virtual time, with an arbitrary origin and a wall clock that can be set wrong.
/// Owner: the scheduler's thread.
public final class SimClock implements Clock {
    /// Where every simulated wall clock starts: 2026-01-01 00:00 UTC.
    public static final long FIRST_WALL_MILLIS = 1_767_225_600_000L;

    private final SimScheduler scheduler;
    private final long originNanos;
    private long steppedMillis;

    /// @param originNanos what `nanos` shows at virtual time zero; may be negative or near overflow, as on real
    ///        machines
    public SimClock(SimScheduler scheduler, long originNanos) {
        this.scheduler = scheduler;
        this.originNanos = originNanos;
    }

    @Override
    public long nanos() {
        return originNanos + scheduler.nanos();
    }

    @Override
    public long wallMillis() {
        return FIRST_WALL_MILLIS + steppedMillis + scheduler.nanos() / SimScheduler.MILLI;
    }

    /// Somebody sets the wall clock; `nanos` does not notice.
    public void stepWall(long millis) {
        steppedMillis += millis;
    }
}
