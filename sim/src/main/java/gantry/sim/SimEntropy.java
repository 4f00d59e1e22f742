package gantry.sim;

import gantry.base.Entropy;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/// The random numbers of one life of one simulated process.
///
/// For:   streams named by life, purpose and how often that purpose was asked for, all from the one seed.
/// Owner: the scheduler's thread.
public final class SimEntropy implements Entropy {
    private final SimScheduler scheduler;
    private final Life life;
    private final Map<String, Integer> forks = new TreeMap<>();

    public SimEntropy(SimScheduler scheduler, Life life) {
        this.scheduler = scheduler;
        this.life = life;
    }

    @Override
    public RandomGenerator fork(String purpose) {
        int count = forks.merge(purpose, 1, Integer::sum);
        return scheduler.fork(life + "/" + purpose + "/" + count);
    }
}
