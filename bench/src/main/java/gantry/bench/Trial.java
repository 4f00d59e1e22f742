package gantry.bench;

import gantry.bench.load.Codec;
import gantry.bench.load.Load;
import gantry.bench.load.LoadFailed;
import gantry.bench.load.Outcome;
import gantry.bench.load.Workload;
import gantry.bench.report.Measurement;
import gantry.bench.target.Machine;
import gantry.bench.target.Server;
import gantry.bench.target.StartFailed;
import gantry.bench.target.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/// One workload on one fresh server: start, warm up, measure, end.
///
/// For:   a measurement that owes nothing to the one before it.
/// Owner: the thread that runs the benchmark.
/// Never: compares.
final class Trial {
    private static final long START_LIMIT_NANOS = TimeUnit.SECONDS.toNanos(120);
    private static final long WARM_LIMIT_NANOS = TimeUnit.SECONDS.toNanos(20);
    private static final long SETTLE_MILLIS = 1_000;
    private static final long IDLE_SECONDS = 20;
    private static final double MILLION = 1e6;
    private static final Workload WARM_UP = Workload.find("pipe-1k").orElseThrow();

    private final Options options;
    private final Target target;
    private final Workload workload;
    private final int round;

    /// @param messages how many to measure; 0 for the workload's own number
    /// @param warmUpMessages pipelined sends before everything else
    record Options(Path folder, Codec codec, int connections, long messages, long warmUpMessages, long limitNanos) {}

    Trial(Options options, Target target, Workload workload, int round) {
        this.options = options;
        this.target = target;
        this.workload = workload;
        this.round = round;
    }

    Measurement run() throws IOException, StartFailed, LoadFailed, InterruptedException {
        Files.createDirectories(options.folder());
        Path folder = Files.createTempDirectory(options.folder(), target.name() + "-");
        try (Server server = target.start(workload.synced(), folder)) {
            try {
                return measure(server);
            } catch (LoadFailed e) {
                throw new LoadFailed(target.name() + ", " + workload.name() + ": " + e.getMessage()
                        + System.lineSeparator() + server.lastWords());
            }
        }
    }

    private Measurement measure(Server server) throws IOException, LoadFailed, InterruptedException {
        Load load = new Load(server.broker(), options.codec(), options.connections());
        load.awaitFirstSend(START_LIMIT_NANOS, server::alive);
        double startSeconds = server.attached() ? 0 : server.secondsSinceStart();
        double startCpu = server.attached() ? 0 : server.cpuSeconds();
        String topic = "bench_" + workload.name() + "_" + Long.toString(System.nanoTime() & 0xFFFFFFFFFFL, 36);
        load.createTopic(topic);
        warmUp(load, topic);
        TimeUnit.MILLISECONDS.sleep(SETTLE_MILLIS);

        double machineBefore = Machine.busySeconds();
        double ownBefore = Machine.ownSeconds();
        double serverBefore = server.cpuSeconds();
        long beganNanos = System.nanoTime();
        Outcome outcome = load(load, topic);
        double seconds = (System.nanoTime() - beganNanos) / 1e9;
        double serverCpu = server.cpuSeconds() - serverBefore;
        double ownCpu = Machine.ownSeconds() - ownBefore;
        double others = Machine.busySeconds() - machineBefore - serverCpu - ownCpu;

        double millions = workload.kind() == Workload.Kind.IDLE ? seconds / 60 : outcome.messages() / MILLION;
        Histogram latency = outcome.latency();
        return new Measurement(
                target.name(),
                workload.name(),
                round,
                outcome.messages(),
                seconds,
                outcome.messagesPerSecond(),
                latency.getValueAtPercentile(50) / MILLION,
                latency.getValueAtPercentile(99) / MILLION,
                latency.getValueAtPercentile(99.9) / MILLION,
                outcome.refused(),
                serverCpu / millions,
                ownCpu / millions,
                Math.max(0, others / seconds),
                server.peakAnonymousBytes(),
                server.peakResidentBytes(),
                startSeconds,
                startCpu);
    }

    private long messages() {
        return options.messages() > 0 ? options.messages() : workload.messages();
    }

    /// First the common warm-up, then a tenth of the workload itself.
    private void warmUp(Load load, String topic) throws IOException, LoadFailed, InterruptedException {
        String warm = topic + "_warm";
        load.createTopic(warm);
        long acknowledged = 0;
        long refused = 0;
        if (options.warmUpMessages() > 0) {
            Outcome common = load.send(warm, WARM_UP, options.warmUpMessages(), WARM_LIMIT_NANOS);
            acknowledged += common.messages();
            refused += common.refused();
        }
        switch (workload.kind()) {
            case SEND -> {
                Outcome own = load.send(warm, workload, messages() / 10, WARM_LIMIT_NANOS);
                acknowledged += own.messages();
                refused += own.refused();
            }
            case PULL -> {
                Outcome filled = load.fill(topic, workload.bodyBytes(), messages());
                load.awaitStored(topic, filled.messages(), filled.refused());
                load.pull(topic, "CG_bench_warm", messages() / 10, WARM_LIMIT_NANOS);
            }
            case IDLE -> {}
        }
        if (target.stores()) {
            load.awaitStored(warm, acknowledged, refused);
        }
    }

    private Outcome load(Load load, String topic) throws IOException, LoadFailed, InterruptedException {
        return switch (workload.kind()) {
            case SEND -> {
                Outcome outcome = load.send(topic, workload, messages(), options.limitNanos());
                // Work that the server has put off is part of the bill.
                if (target.stores()) {
                    load.awaitStored(topic, outcome.messages(), outcome.refused());
                }
                yield outcome;
            }
            case PULL -> {
                Outcome outcome = load.pull(topic, "CG_bench", messages(), options.limitNanos());
                yield outcome;
            }
            case IDLE -> {
                TimeUnit.SECONDS.sleep(IDLE_SECONDS);
                yield new Outcome(0, TimeUnit.SECONDS.toNanos(IDLE_SECONDS), 0, new Histogram(3), 0);
            }
        };
    }
}
