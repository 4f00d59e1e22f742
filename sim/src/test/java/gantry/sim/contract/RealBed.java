package gantry.sim.contract;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;

/// Real time and threads.
///
/// For:   contract tests of the real seams.
final class RealBed implements Bed {
    @Override
    public void until(String what, BooleanSupplier holds) {
        Awaitility.await(what)
                .atMost(Duration.ofSeconds(15))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(2))
                .until(holds::getAsBoolean);
    }

    @Override
    public void settle() {
        Awaitility.await("settling").pollDelay(Duration.ofMillis(150)).until(() -> true);
    }
}
