package gantry.bench;

import gantry.bench.floor.DiskFloor;
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
import org.jspecify.annotations.Nullable;

/// All rounds: within a round the targets' servers stand side by side, warm, and every workload runs on each of them in
/// turn, so that what else the machine does meanwhile falls on all alike.
///
/// For:   the order of the measurements, and a line of progress for each.
/// Owner: the thread that runs the benchmark.
/// Never: what a measurement consists of.
///
/// ```
///   round: start: peer, gantry   then both again, to stay:
///          one-1k: peer, gantry   pipe-1k: peer, gantry   …   then both again, synced:  sync-1k: peer, gantry
/// ```
final class Campaign {
    private static final int TRIES = 3;

    private final Subject.Options options;
    private final List<Target> targets;
    private final @Nullable DiskFloor disk;
    private final List<Workload> workloads;
    private final int rounds;
    private final PrintStream progress;
    private final List<Measurement> all = new ArrayList<>();

    /// @param disk measured beside the targets; null: not
    Campaign(
            Subject.Options options,
            List<Target> targets,
            @Nullable DiskFloor disk,
            List<Workload> workloads,
            int rounds,
            PrintStream progress) {
        this.options = options;
        this.targets = targets;
        this.disk = disk;
        this.workloads = workloads;
        this.rounds = rounds;
        this.progress = progress;
    }

    List<Measurement> run() throws IOException, StartFailed, LoadFailed, InterruptedException {
        for (int round = 1; round <= rounds; round++) {
            for (Workload workload : workloads) {
                if (workload.kind() == Workload.Kind.START) {
                    start(workload, round);
                }
            }
            sideBySide(false, round);
            sideBySide(true, round);
        }
        return all;
    }

    private void start(Workload workload, int round) throws IOException, StartFailed, LoadFailed, InterruptedException {
        for (Target target : targets) {
            if (target.fits(workload)) {
                try (Subject subject = Subject.start(options, target, workload.synced())) {
                    add(subject.started(workload, round));
                }
            }
        }
    }

    private void sideBySide(boolean synced, int round)
            throws IOException, StartFailed, LoadFailed, InterruptedException {
        List<Workload> these = workloads.stream()
                .filter(w -> w.kind() != Workload.Kind.START && w.synced() == synced)
                .toList();
        List<Subject> subjects = new ArrayList<>();
        try {
            for (Target target : targets) {
                if (these.stream().anyMatch(target::fits)) {
                    subjects.add(warm(target, synced));
                }
            }
            for (Workload workload : these) {
                for (int i = 0; i < subjects.size(); i++) {
                    if (subjects.get(i).target().fits(workload)) {
                        measure(subjects, i, workload, round);
                    }
                }
                if (disk != null && disk.fits(workload)) {
                    add(disk.measure(workload, round));
                }
            }
        } finally {
            for (Subject subject : subjects) {
                subject.close();
            }
        }
    }

    private Subject warm(Target target, boolean synced)
            throws IOException, StartFailed, LoadFailed, InterruptedException {
        for (int failures = 1; ; failures++) {
            Subject subject = Subject.start(options, target, synced);
            try {
                progress.println("warming up " + target.name() + (synced ? ", synced" : ""));
                subject.warmUp(synced);
                return subject;
            } catch (LoadFailed e) {
                subject.close();
                if (failures == TRIES) {
                    throw e;
                }
                progress.println("void, and taken again: " + e.firstLine());
            }
        }
    }

    /// On a crowded machine a broker may leave a request unanswered: a measurement that fails is told, and taken again
    /// on a fresh server. One that fails every time has no figure in this round; the others are not lost with it.
    private void measure(List<Subject> subjects, int i, Workload workload, int round)
            throws IOException, StartFailed, LoadFailed, InterruptedException {
        for (int failures = 1; ; failures++) {
            try {
                add(subjects.get(i).measure(workload, round));
                return;
            } catch (LoadFailed e) {
                progress.println((failures < TRIES ? "void, and taken again: " : "void, and given up for this round: ")
                        + e.firstLine());
                Target target = subjects.get(i).target();
                subjects.get(i).close();
                subjects.set(i, warm(target, workload.synced()));
                if (failures == TRIES) {
                    return;
                }
            }
        }
    }

    private void add(Measurement m) {
        all.add(m);
        String figures = switch (Workload.find(m.workload()).orElseThrow().kind()) {
            case START ->
                String.format(
                        Locale.ROOT, "first acknowledged send after %.2f s and %.2f CPU s", m.seconds(), m.serverCpu());
            case IDLE -> String.format(Locale.ROOT, "%.2f CPU s per minute", m.serverCpu());
            case SEND, CREATE, PULL ->
                String.format(
                        Locale.ROOT,
                        "%9.0f msg/s  p99 %8.2f ms  %8.2f CPU s per million  anon %5d MiB  others %.1f",
                        m.messagesPerSecond(),
                        m.p99Millis(),
                        m.serverCpu(),
                        m.anonymousBytes() >> 20,
                        m.otherCores());
        };
        progress.println(String.format(
                Locale.ROOT, "round %d/%d  %-9s  %-8s  %s", m.round(), rounds, m.workload(), m.target(), figures));
    }
}
