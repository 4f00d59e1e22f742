package gantry.net;

import gantry.base.Notices;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Calls `tick` methods at intervals, all on one thread of its own.
///
/// For:   moving time into state machines that start no timers.
/// Owner: itself; ticks may be added from any thread.
/// Never: catches up; a late tick is called once. A tick that throws is told and called again next time; one that does
///        not return is named by a watching thread while it hangs.
public final class Ticker implements AutoCloseable {
    /// A tick that runs longer than this is told.
    public static final Duration DEFAULT_STALL_LIMIT = Duration.ofSeconds(2);

    private static final long LONGEST_SLEEP_MILLIS = 100;

    /// One tick with its own interval; the ticker's thread owns `dueNanos`.
    private static final class Entry {
        final String what;
        final long everyNanos;
        final Runnable tick;
        final RateLimit tell = new RateLimit();
        long dueNanos;

        Entry(String what, long everyNanos, Runnable tick, long dueNanos) {
            this.what = what;
            this.everyNanos = everyNanos;
            this.tick = tick;
            this.dueNanos = dueNanos;
        }
    }

    /// What is being called, since when.
    private record Call(String what, long sinceNanos) {}

    private final String name;
    private final long stallNanos;
    private final Notices notices;
    private final List<Entry> entries = new CopyOnWriteArrayList<>();
    private final Thread thread;
    private final Thread watch;
    private volatile @Nullable Call call;
    private volatile boolean stopped;

    public Ticker(String name, Notices notices) {
        this(name, DEFAULT_STALL_LIMIT, notices);
    }

    public Ticker(String name, Duration stallLimit, Notices notices) {
        this.name = name;
        this.stallNanos = stallLimit.toNanos();
        this.notices = notices;
        this.thread = Thread.ofPlatform().name(name).daemon().unstarted(this::run);
        this.watch = Thread.ofPlatform().name(name + "-watch").daemon().unstarted(this::watch);
        thread.start();
        watch.start();
    }

    /// Calls `tick` every `interval` from now on.
    ///
    /// @param what a noun for the operator: "store", "routes"
    public void every(Duration interval, String what, Runnable tick) {
        entries.add(new Entry(what, interval.toNanos(), tick, System.nanoTime() + interval.toNanos()));
    }

    /// What hangs now, in a sentence; null when nothing does. Asked at any time on any thread.
    public @Nullable String stalled() {
        Call now = call;
        long forNanos = now == null ? 0 : System.nanoTime() - now.sinceNanos;
        return now == null || forNanos <= stallNanos
                ? null
                : "the tick of \"" + now.what + "\" has been running for " + forNanos / 1_000_000_000
                        + " s, and everything on \"" + name + "\" waits for it";
    }

    /// Stops; a tick that runs now is waited for, at most the stall limit.
    @Override
    public void close() {
        stopped = true;
        // Not by an interrupt: a tick may be writing a file, and would lose it.
        LockSupport.unpark(thread);
        LockSupport.unpark(watch);
        if (Thread.currentThread() == thread) {
            return;
        }
        try {
            thread.join(Duration.ofNanos(stallNanos));
            watch.join(Duration.ofNanos(stallNanos));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        while (!stopped) {
            long wait = Duration.ofMillis(LONGEST_SLEEP_MILLIS).toNanos();
            for (Entry entry : entries) {
                if (stopped) {
                    return;
                }
                long now = System.nanoTime();
                if (now - entry.dueNanos >= 0) {
                    callOne(entry, now);
                    now = System.nanoTime();
                    entry.dueNanos = Math.max(entry.dueNanos + entry.everyNanos, now);
                }
                wait = Math.min(wait, entry.dueNanos - now);
            }
            sleep(wait);
        }
    }

    private void callOne(Entry entry, long now) {
        call = new Call(entry.what, now);
        try {
            entry.tick.run();
        } catch (RuntimeException | Error e) {
            if (entry.tell.allow()) {
                notices.alarm("the tick of \"" + entry.what + "\" failed with " + e + ", a fault of this program"
                        + entry.tell.heldBack());
            }
        } finally {
            call = null;
        }
    }

    private void watch() {
        Call told = null;
        while (!stopped) {
            Call now = call;
            long forNanos = now == null ? 0 : System.nanoTime() - now.sinceNanos;
            if (now != null && !now.equals(told) && forNanos > stallNanos) {
                told = now;
                notices.alarm("the tick of \"" + now.what + "\" has been running for " + forNanos / 1_000_000
                        + " ms; everything on \"" + name + "\" waits for it. It is at:" + Place.of(thread));
            } else if (told != null && !told.equals(now)) {
                notices.over("the tick of \"" + told.what + "\" that hung has returned; \"" + name + "\" goes on");
                told = null;
            }
            sleep(stallNanos / 4);
        }
    }

    private void sleep(long nanos) {
        if (nanos <= 0 || stopped) {
            return;
        }
        LockSupport.parkNanos(this, nanos);
    }
}
