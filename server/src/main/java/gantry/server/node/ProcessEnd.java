package gantry.server.node;

import java.time.Duration;
import java.util.function.Supplier;

/// The orderly end of this process on SIGTERM or SIGINT.
///
/// For:   a clean stop within ten seconds, and an exit code that tells a clean one from another.
/// Owner: the shutdown hook's thread.
/// Never: faults; `FaultsEndProcess` ends at once, without stopping anything.
final class ProcessEnd {
    /// Leaves two of the promised ten seconds for the signal to arrive and the process to vanish.
    static final Duration STOP_LIMIT = Duration.ofSeconds(8);

    private ProcessEnd() {}

    /// From now on a signal runs `stop`, flushes the logs and ends the process.
    static void onSignal(Supplier<Parts.Outcome> stop, Logs logs) {
        // A hook that returned would leave the signal's own exit code, 143, which says nothing about the stop.
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().name("signal").unstarted(() -> {
            ExitCode code = told(stop.get());
            logs.close();
            Runtime.getRuntime().halt(code.number());
        }));
    }

    private static ExitCode told(Parts.Outcome outcome) {
        return switch (outcome) {
            case Parts.Outcome.Clean _ -> {
                System.out.println("stopped");
                yield ExitCode.CLEAN;
            }
            case Parts.Outcome.Failed failed -> {
                System.err.println("gantry: " + String.join(", ", failed.parts())
                        + " did not stop cleanly, the log says why; the next start recovers.");
                yield ExitCode.UNCLEAN_STOP;
            }
            case Parts.Outcome.Hung hung -> {
                System.err.println("gantry: " + hung.part() + " did not stop within " + STOP_LIMIT.toSeconds()
                        + " s, so the process ends without it; the next start recovers.");
                yield ExitCode.UNCLEAN_STOP;
            }
        };
    }
}
