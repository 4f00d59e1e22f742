package gantry.net;

import gantry.base.Entropy;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/// Random numbers that differ in every process.
///
/// For:   real processes; everything in the core takes it as an `Entropy`.
/// Owner: none (the counter is atomic); a returned stream belongs to whoever asked for it.
/// Never: secrets; the streams can be computed from one seed.
public final class SystemEntropy implements Entropy {
    private final long seed = new SecureRandom().nextLong();
    private final AtomicLong forks = new AtomicLong();

    @Override
    public RandomGenerator fork(String purpose) {
        long mixed = seed + forks.incrementAndGet() * 0x9E3779B97F4A7C15L;
        for (byte b : purpose.getBytes(StandardCharsets.UTF_8)) {
            mixed = (mixed ^ b) * 0x100000001B3L;
        }
        return new SplittableRandom(mixed);
    }
}
