package gantry.bench.load;

import gantry.base.Endpoint;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/// Keeps a number of requests in flight on a few connections, from one thread, until enough is confirmed.
///
/// For:   a closed loop: each answer makes room for one further request, whatever pace the server has.
/// Owner: the thread that calls `run`.
/// Never: waits for ever: half a minute without any answer voids the run.
///
/// All answers that one read brings are checked before their successors go out in one write, so the client stays
/// cheap and a fast server sees bursts, as it does behind a busy producer.
final class LoadLoop implements Line.Tally {
    private static final long STALL_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final int REFUSALS_TOO_MANY = 1_000_000;

    private final Endpoint server;
    private final List<Script> scripts;
    private final int depthPerLine;
    private final long goal;
    private final long limitNanos;
    private final Histogram latency = new Histogram(TimeUnit.MINUTES.toNanos(2), 3);
    private long asked;
    private long confirmed;
    private long refused;
    private long beganNanos;
    private long nowNanos;
    private boolean timeIsUp;

    /// @param goal how many messages to confirm; scripts that exhaust themselves may end the run before
    /// @param limitNanos after which nothing more is asked; what is in flight is waited for
    LoadLoop(Endpoint server, List<Script> scripts, int depthPerLine, long goal, long limitNanos) {
        this.server = server;
        this.scripts = scripts;
        this.depthPerLine = depthPerLine;
        this.goal = goal;
        this.limitNanos = limitNanos;
    }

    Outcome run() throws IOException, LoadFailed {
        List<Line> lines = new ArrayList<>();
        try (Selector selector = Selector.open()) {
            for (Script script : scripts) {
                lines.add(new Line(server, selector, script, depthPerLine));
            }
            long cpuBefore = cpuNanos();
            beganNanos = System.nanoTime();
            nowNanos = beganNanos;
            for (Line line : lines) {
                line.topUp(this);
            }
            turn(selector, lines);
            return new Outcome(confirmed, nowNanos - beganNanos, refused, latency, cpuNanos() - cpuBefore);
        } finally {
            for (Line line : lines) {
                line.close();
            }
        }
    }

    private void turn(Selector selector, List<Line> lines) throws IOException, LoadFailed {
        long heardNanos = beganNanos;
        while (inFlight(lines) > 0) {
            selector.select(1_000);
            nowNanos = System.nanoTime();
            timeIsUp = nowNanos - beganNanos > limitNanos;
            if (!selector.selectedKeys().isEmpty()) {
                heardNanos = nowNanos;
            } else if (nowNanos - heardNanos > STALL_NANOS) {
                throw new LoadFailed("no answer for 30 s with " + inFlight(lines) + " requests in flight");
            }
            for (SelectionKey key : selector.selectedKeys()) {
                Line line = (Line) key.attachment();
                if (key.isReadable()) {
                    line.read(this);
                }
                line.topUp(this);
            }
            selector.selectedKeys().clear();
        }
    }

    private static int inFlight(List<Line> lines) {
        int sum = 0;
        for (Line line : lines) {
            sum += line.inFlight();
        }
        return sum;
    }

    @Override
    public boolean wantsMore(int messages) {
        if (timeIsUp || asked >= goal || refused > REFUSALS_TOO_MANY) {
            return false;
        }
        asked += messages;
        return true;
    }

    @Override
    public void confirmed(int messages, long askedNanos) {
        confirmed += messages;
        latency.recordValue(nowNanos - askedNanos);
    }

    @Override
    public void refused(int messages) {
        asked -= messages;
        refused += messages;
    }

    private static long cpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }
}
