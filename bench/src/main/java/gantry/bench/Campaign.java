package gantry.bench;

import gantry.bench.load.LoadFailed;
import gantry.bench.load.Workload;
import gantry.bench.report.Measurement;
import gantry.bench.target.StartFailed;
import gantry.bench.target.Target;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// All rounds: within a round every workload runs on each target in turn, so that what else the machine does meanwhile
/// falls on all alike.
///
/// For:   the order of the trials, and a line of progress for each.
/// Owner: the thread that runs the benchmark.
/// Never: what a trial measures.
final class Campaign {
    private static final int TRIES = 3;

    private final Trial.Options options;
    private final List<Target> targets;
    private final List<Workload> workloads;
    private final int rounds;
    private final PrintStream progress;

    Campaign(Trial.Options options, List<Target> targets, List<Workload> workloads, int rounds, PrintStream progress) {
        this.options = options;
        this.targets = targets;
        this.workloads = workloads;
        this.rounds = rounds;
        this.progress = progress;
    }

    List<Measurement> run() throws IOException, StartFailed, LoadFailed, InterruptedException {
        List<Measurement> all = new ArrayList<>();
        for (int round = 1; round <= rounds; round++) {
            for (Workload workload : workloads) {
                for (Target target : targets) {
                    if (target.fits(workload)) {
                        Measurement one = trial(target, workload, round);
                        all.add(one);
                        tell(one);
                    }
                }
            }
        }
        return all;
    }

    /// On a crowded machine a broker may leave a request unanswered; a trial that fails is told, and begun anew.
    private Measurement trial(Target target, Workload workload, int round)
            throws IOException, StartFailed, LoadFailed, InterruptedException {
        for (int failures = 1; ; failures++) {
            try {
                return new Trial(options, target, workload, round).run();
            } catch (LoadFailed e) {
                if (failures == TRIES) {
                    throw e;
                }
                progress.println("void, and begun anew: " + e.firstLine());
            }
        }
    }

    private void tell(Measurement m) {
        progress.println(String.format(
                Locale.ROOT,
                "round %d/%d  %-9s  %-8s  %9.0f msg/s  p99 %8.2f ms  CPU %8.2f s per %s  anon %5d MiB  start %5.2f s"
                        + "  others %.1f",
                m.round(),
                rounds,
                m.workload(),
                m.target(),
                m.messagesPerSecond(),
                m.p99Millis(),
                m.serverCpuPerMillion(),
                m.messages() == 0 ? "minute" : "million",
                m.anonymousBytes() >> 20,
                m.startSeconds(),
                m.otherCores()));
    }
}
