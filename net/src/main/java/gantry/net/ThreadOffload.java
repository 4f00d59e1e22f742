package gantry.net;

import gantry.base.Notices;
import gantry.base.Offload;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Runs works on threads of their own, at most `limit` at once, and names one that does not come back.
///
/// For:   what may block: cold reads, file deletion, name look-ups.
/// Owner: itself; safe from any thread. `tick` is for one thread.
/// Never: refuses; whoever submits bounds how many works wait. A long queue is told to the operator.
///
/// Platform threads, because a page of a mapped file that the disk does not give holds its carrier: two such pages
/// would stop every virtual thread of a machine with two processors.
public final class ThreadOffload implements Offload {
    /// From this many waiting works on the operator is told.
    static final int LONG_QUEUE_WORKS = 1024;

    /// A work that runs longer than this is told.
    public static final Duration DEFAULT_STALL_LIMIT = Duration.ofSeconds(8);

    /// After so long without work a thread ends.
    private static final long IDLE_SECONDS = 10;

    /// A work that runs, since when, and on which thread.
    private static final class Running {
        final Thread thread = Thread.currentThread();
        final long sinceNanos = System.nanoTime();
    }

    private final String name;
    private final int limit;
    private final long stallNanos;
    private final Notices notices;
    private final RateLimit tellQueue = new RateLimit();
    private final RateLimit tellFault = new RateLimit();
    private final ExecutorService threads;
    private final Set<Running> running = ConcurrentHashMap.newKeySet();

    /// Works that run or wait; the first `limit` of them have a thread.
    private final AtomicInteger pending = new AtomicInteger();

    private final ConcurrentLinkedQueue<Runnable> waiting = new ConcurrentLinkedQueue<>();

    /// The work that was told to hang; written by `tick` alone.
    private volatile @Nullable Running told;

    public ThreadOffload(String name, int limit, Notices notices) {
        this(name, limit, DEFAULT_STALL_LIMIT, notices);
    }

    public ThreadOffload(String name, int limit, Duration stallLimit, Notices notices) {
        this.name = name;
        this.limit = limit;
        this.stallNanos = stallLimit.toNanos();
        this.notices = notices;
        this.threads = new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                Thread.ofPlatform().daemon().name(name + "-", 1).factory());
    }

    @Override
    public void run(Runnable work) {
        waiting.add(work);
        int before = pending.getAndIncrement();
        if (before < limit) {
            startNext();
        } else if (before - limit >= LONG_QUEUE_WORKS && tellQueue.allow()) {
            notices.warn("\"" + name + "\" is behind: " + (before - limit) + " works wait while " + limit
                    + " run; the disk or a name server may be slow" + tellQueue.heldBack());
        }
    }

    /// Works that run or wait.
    public int pending() {
        return pending.get();
    }

    /// What hangs as of the last `tick`, in a sentence; null when nothing does. Asked at any time on any thread.
    public @Nullable String stalled() {
        Running hangs = told;
        return hangs == null
                ? null
                : "a work of \"" + name + "\" has not come back for " + seconds(System.nanoTime() - hangs.sinceNanos)
                        + " s, and what needs it waits";
    }

    /// Looks for a work that hangs; to be called every second or so.
    public void tick() {
        Running before = told;
        if (before != null && !running.contains(before)) {
            notices.over("A work of \"" + name + "\" that hung has come back after "
                    + seconds(System.nanoTime() - before.sinceNanos) + " s.");
            told = null;
        }
        if (told == null) {
            Running oldest = oldest();
            long forNanos = oldest == null ? 0 : System.nanoTime() - oldest.sinceNanos;
            if (oldest != null && forNanos > stallNanos) {
                told = oldest;
                notices.alarm("A work of \"" + name + "\" has not come back for " + seconds(forNanos)
                        + " s, and what needs it waits; most likely a disk or a name server does not answer."
                        + " Others go on as long as fewer than " + limit + " hang, " + pending.get()
                        + " run or wait now. It is at:" + Place.of(oldest.thread));
            }
        }
    }

    private @Nullable Running oldest() {
        Running oldest = null;
        for (Running each : running) {
            if (oldest == null || each.sinceNanos - oldest.sinceNanos < 0) {
                oldest = each;
            }
        }
        return oldest;
    }

    private static long seconds(long nanos) {
        return Duration.ofNanos(nanos).toSeconds();
    }

    private void startNext() {
        Runnable work = next();
        threads.execute(() -> runOne(work));
    }

    private Runnable next() {
        Runnable work = waiting.poll();
        if (work == null) {
            throw new AssertionError("\"" + name + "\" counts more works than it holds");
        }
        return work;
    }

    /// Goes on with what waits, on the same thread.
    private void runOne(Runnable first) {
        @Nullable Runnable work = first;
        while (work != null) {
            Running now = new Running();
            running.add(now);
            try {
                work.run();
            } catch (RuntimeException | Error e) {
                if (tellFault.allow()) {
                    notices.alarm("a work of \"" + name + "\" failed with " + e + ", a fault of this program"
                            + tellFault.heldBack());
                }
            } finally {
                running.remove(now);
            }
            work = pending.getAndDecrement() > limit ? next() : null;
        }
    }
}
