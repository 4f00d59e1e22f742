package gantry.sim.house;

import gantry.sim.SimFailure;
import java.io.PrintStream;
import org.jspecify.annotations.Nullable;

/// Runs seeds from the command line.
///
/// For:   replaying one seed with a trace, or many without.
/// Owner: the main thread.
public final class Replay {
    private Replay() {}

    /// @param args the first seed, how many seeds (1 when it is not said), and `trace` for a line per event
    public static void main(String[] args) {
        long first = Long.parseLong(args[0]);
        long count = args.length > 1 ? Long.parseLong(args[1]) : 1;
        boolean trace = args.length > 2 && args[2].equals("trace");
        int failures = 0;
        for (long seed = first; seed < first + count; seed++) {
            failures += run(seed, trace ? System.out : null, System.out) ? 0 : 1;
        }
        System.out.println(count + " seeds, " + failures + " failed");
        System.exit(failures == 0 ? 0 : 1);
    }

    private static boolean run(long seed, @Nullable PrintStream trace, PrintStream out) {
        try (House house = new House(seed, trace == null ? null : trace::println)) {
            out.println("seed " + seed + ": " + house.run());
            return true;
        } catch (SimFailure failure) {
            out.println("seed " + seed + " FAILED: " + failure.getMessage());
            if (trace != null) {
                failure.printStackTrace(out);
            }
            return false;
        }
    }
}
