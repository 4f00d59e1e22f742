package gantry.bench;

import gantry.bench.load.Codec;
import gantry.bench.load.Load;
import gantry.bench.load.LoadFailed;
import gantry.bench.load.Outcome;
import gantry.bench.load.Topics;
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

/// A server under measurement, from its start to its end.
///
/// For:   taking the figures of one workload after another on one process that is warm.
/// Owner: the thread that runs the benchmark.
/// Never: compares.
final class Subject implements AutoCloseable {
    private static final long START_LIMIT_NANOS = TimeUnit.SECONDS.toNanos(240);
    private static final long WARM_LIMIT_NANOS = TimeUnit.SECONDS.toNanos(90);
    private static final long OWN_WARM_LIMIT_NANOS = TimeUnit.SECONDS.toNanos(20);
    private static final long SETTLE_MILLIS = 1_000;
    private static final long IDLE_SECONDS = 20;
    private static final long OWN_WARM_REQUESTS = 30_000;
    private static final double STEADY = 0.9;
    /// Where an answer costs a sync of the disk, so many sends take as long as ten times as many where it does not.
    private static final int SYNCED_SHARE = 10;
    private static final double MILLION = 1e6;
    private static final Workload WARM_UP = Workload.find("pipe-1k").orElseThrow();

    private final Options options;
    private final Target target;
    private final Server server;
    private final Load load;
    private final double startSeconds;
    private final double startCpuSeconds;
    private int topics;

    /// @param messages how many to measure; 0 for the workload's own number
    /// @param warmUpMessages pipelined sends before everything else
    record Options(Path folder, Codec codec, int connections, long messages, long warmUpMessages, long limitNanos) {}

    private Subject(Options options, Target target, Server server, Load load) {
        this.options = options;
        this.target = target;
        this.server = server;
        this.load = load;
        this.startSeconds = server.secondsSinceStart();
        this.startCpuSeconds = server.cpuSeconds();
    }

    /// Starts a fresh server and waits for its first acknowledged send.
    static Subject start(Options options, Target target, boolean synced)
            throws IOException, StartFailed, LoadFailed, InterruptedException {
        Files.createDirectories(options.folder());
        Path folder = Files.createTempDirectory(options.folder(), target.name() + "-");
        Server server = target.start(synced, folder);
        try {
            Load load = new Load(server.broker(), options.codec(), options.connections());
            load.awaitFirstSend(START_LIMIT_NANOS, server::alive);
            return new Subject(options, target, server, load);
        } catch (LoadFailed e) {
            String words = server.lastWords();
            server.close();
            throw named(target, "start", e, words);
        } catch (InterruptedException e) {
            server.close();
            throw e;
        }
    }

    /// Sends enough for the JIT compiler to be done with the paths that matter.
    void warmUp(boolean synced) throws IOException, LoadFailed, InterruptedException {
        long messages = synced ? options.warmUpMessages() / SYNCED_SHARE : options.warmUpMessages();
        if (messages > 0) {
            sendAndAwait(newTopics("warm", WARM_UP), WARM_UP, messages, WARM_LIMIT_NANOS);
        }
    }

    Target target() {
        return target;
    }

    /// The figures of the start, which needs no load.
    Measurement started(Workload workload, int round) {
        return new Measurement(
                target.name(),
                workload.name(),
                round,
                0,
                startSeconds,
                0,
                0,
                0,
                0,
                0,
                startCpuSeconds,
                0,
                0,
                server.peakAnonymousBytes(),
                server.peakResidentBytes());
    }

    Measurement measure(Workload workload, int round) throws IOException, LoadFailed, InterruptedException {
        try {
            Topics topics = newTopics(workload.name(), workload);
            prepare(workload, topics);
            TimeUnit.MILLISECONDS.sleep(SETTLE_MILLIS);
            return measure(workload, round, topics);
        } catch (LoadFailed e) {
            throw named(target, workload.name(), e, server.lastWords());
        }
    }

    private Measurement measure(Workload workload, int round, Topics topics)
            throws IOException, LoadFailed, InterruptedException {
        double machineBefore = Machine.busySeconds();
        double ownBefore = Machine.ownSeconds();
        double serverBefore = server.cpuSeconds();
        long beganNanos = System.nanoTime();
        Outcome outcome = load(workload, topics);
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
                server.peakResidentBytes());
    }

    /// Warms up what this workload uses, and for a pull sends the messages to pull.
    private void prepare(Workload workload, Topics topics) throws IOException, LoadFailed, InterruptedException {
        long messages = messages(workload);
        long slice = Math.max(messages / 10, Math.min(messages, OWN_WARM_REQUESTS * workload.messagesPerRequest()));
        switch (workload.kind()) {
            case SEND -> {
                Topics warm = workload.topics() > 1 ? topics : newTopics(workload.name(), workload);
                untilSteady(() -> sendAndAwait(warm, workload, slice, OWN_WARM_LIMIT_NANOS));
            }
            case PULL -> {
                awaitStored(topics, 0, load.fill(topics, workload.bodyBytes(), messages));
                untilSteady(() -> load.pull(topics, "CG_bench_warm", slice, OWN_WARM_LIMIT_NANOS));
            }
            case CREATE, IDLE, START -> {}
        }
    }

    /// Part of a load that is repeated.
    private interface Slice {
        Outcome run() throws IOException, LoadFailed, InterruptedException;
    }

    /// Repeats a slice until it costs about as much as the one before: then the JIT compiler is done with it.
    private void untilSteady(Slice slice) throws IOException, LoadFailed, InterruptedException {
        long began = System.nanoTime();
        double before = Double.MAX_VALUE;
        double cost = Double.MAX_VALUE / 2;
        while (cost < before * STEADY && System.nanoTime() - began < OWN_WARM_LIMIT_NANOS) {
            before = cost;
            double cpu = server.cpuSeconds();
            long messages = slice.run().messages();
            cost = (server.cpuSeconds() - cpu) / messages;
        }
    }

    private Outcome load(Workload workload, Topics topics) throws IOException, LoadFailed, InterruptedException {
        return switch (workload.kind()) {
            // Work that the server has put off is part of the bill.
            case SEND -> sendAndAwait(topics, workload, messages(workload), options.limitNanos());
            case CREATE -> load.send(topics, workload, messages(workload), options.limitNanos());
            case PULL -> load.pull(topics, "CG_bench", messages(workload), options.limitNanos());
            case IDLE, START -> {
                TimeUnit.SECONDS.sleep(IDLE_SECONDS);
                yield new Outcome(0, TimeUnit.SECONDS.toNanos(IDLE_SECONDS), 0, new Histogram(3), 0);
            }
        };
    }

    private long messages(Workload workload) {
        return options.messages() > 0 ? options.messages() : workload.messages();
    }

    private Outcome sendAndAwait(Topics topics, Workload shape, long messages, long limitNanos)
            throws IOException, LoadFailed, InterruptedException {
        long before = target.stores() ? load.stored(topics) : 0;
        Outcome sent = load.send(topics, shape, messages, limitNanos);
        awaitStored(topics, before, sent);
        return sent;
    }

    private void awaitStored(Topics topics, long before, Outcome sent)
            throws IOException, LoadFailed, InterruptedException {
        if (target.stores()) {
            load.awaitStored(topics, before, sent.messages(), sent.refused());
        }
    }

    private Topics newTopics(String purpose, Workload workload) throws IOException, LoadFailed {
        String name = "bench_" + purpose + "_" + topics++ + "_" + Long.toString(System.nanoTime() & 0xFFFFFFFL, 36);
        Topics fresh = new Topics(name, workload.topics(), workload.queues());
        if (workload.kind() != Workload.Kind.CREATE) {
            load.create(fresh);
        }
        return fresh;
    }

    private static LoadFailed named(Target target, String workload, LoadFailed e, String lastWords) {
        return new LoadFailed(
                target.name() + ", " + workload + ": " + e.getMessage() + System.lineSeparator() + lastWords);
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
