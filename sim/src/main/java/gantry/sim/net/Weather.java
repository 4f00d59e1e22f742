package gantry.sim.net;

import static gantry.sim.SimScheduler.MICRO;
import static gantry.sim.SimScheduler.MILLI;
import static gantry.sim.SimScheduler.SECOND;

import java.util.random.RandomGenerator;

/// How a simulated network behaves on an ordinary day.
///
/// For:   delays, and the limits that the real network has too.
/// Owner: none (immutable).
///
/// @param leastNanos the shortest time one way
/// @param spreadNanos added to it, at random
/// @param slowOneIn one piece in so many is late, as if it had been sent again
/// @param slowNanos how late at most
/// @param cutOneIn one piece in so many arrives in two
/// @param outboxHighBytes waiting bytes of one link above which nothing is read from it
/// @param outboxHardBytes waiting bytes of one link above which it is closed
/// @param connectTimeoutNanos after which a dial without any answer fails
/// @param drainTimeoutNanos how long a closing link may take to get its outbox out
public record Weather(
        long leastNanos,
        long spreadNanos,
        int slowOneIn,
        long slowNanos,
        int cutOneIn,
        int outboxHighBytes,
        int outboxHardBytes,
        long connectTimeoutNanos,
        long drainTimeoutNanos) {
    public static final Weather FAIR =
            new Weather(50 * MICRO, 200 * MICRO, 100, 20 * MILLI, 5, 1 << 20, 32 << 20, 3 * SECOND, 2 * SECOND);

    public static final Weather FOUL =
            new Weather(50 * MICRO, 5 * MILLI, 12, 400 * MILLI, 2, 16 << 10, 256 << 10, 3 * SECOND, 2 * SECOND);

    public Weather withOutbox(int highBytes, int hardBytes) {
        return new Weather(
                leastNanos,
                spreadNanos,
                slowOneIn,
                slowNanos,
                cutOneIn,
                highBytes,
                hardBytes,
                connectTimeoutNanos,
                drainTimeoutNanos);
    }

    long delay(RandomGenerator random) {
        long nanos = leastNanos + random.nextLong(spreadNanos);
        return random.nextInt(slowOneIn) == 0 ? nanos + random.nextLong(slowNanos) : nanos;
    }
}
