package gantry.sim;

import gantry.base.Offload;
import java.util.random.RandomGenerator;

/// Runs works as later events of their life.
///
/// For:   works that finish in any order, mostly soon and now and then late.
/// Owner: the scheduler's thread.
public final class SimOffload implements Offload {
    private static final long USUAL_NANOS = 300 * SimScheduler.MICRO;
    private static final long LATE_NANOS = 40 * SimScheduler.MILLI;

    private final SimScheduler scheduler;
    private final Life life;
    private final RandomGenerator random;

    public SimOffload(SimScheduler scheduler, Life life) {
        this.scheduler = scheduler;
        this.life = life;
        this.random = scheduler.fork(life + "/offload");
    }

    @Override
    public void run(Runnable work) {
        long longest = random.nextInt(20) == 0 ? LATE_NANOS : USUAL_NANOS;
        scheduler.after(1 + random.nextLong(longest), life, "offloaded work", work);
    }
}
