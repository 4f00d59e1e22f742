package gantry.net;

import gantry.base.Notices;
import gantry.base.Offload;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// Runs works on virtual threads, at most `limit` at once.
///
/// For:   what may block: cold reads, file deletion, name look-ups.
/// Owner: itself; safe from any thread.
/// Never: refuses; whoever submits bounds how many works wait. A long queue is told to the operator.
public final class VirtualOffload implements Offload {
    /// From this many waiting works on the operator is told.
    static final int LONG_QUEUE_WORKS = 1024;

    private final String name;
    private final int limit;
    private final Notices notices;
    private final RateLimit tellQueue = new RateLimit();
    private final RateLimit tellFault = new RateLimit();

    /// Works that run or wait; the first `limit` of them have a thread.
    private final AtomicInteger pending = new AtomicInteger();

    private final AtomicLong started = new AtomicLong();
    private final ConcurrentLinkedQueue<Runnable> waiting = new ConcurrentLinkedQueue<>();

    public VirtualOffload(String name, int limit, Notices notices) {
        this.name = name;
        this.limit = limit;
        this.notices = notices;
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

    private void startNext() {
        Runnable work = waiting.poll();
        if (work == null) {
            throw new AssertionError("\"" + name + "\" counts more works than it holds");
        }
        Thread.ofVirtual().name(name + "-" + started.incrementAndGet()).start(() -> runOne(work));
    }

    private void runOne(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException | Error e) {
            if (tellFault.allow()) {
                notices.alarm("a work of \"" + name + "\" failed with " + e + ", a fault of this program"
                        + tellFault.heldBack());
            }
        } finally {
            if (pending.getAndDecrement() > limit) {
                startNext();
            }
        }
    }
}
