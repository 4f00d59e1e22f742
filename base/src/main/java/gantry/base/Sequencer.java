package gantry.base;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Runs commands strictly one after another, on the thread that submits when it is idle.
///
/// For:   giving a piece of state exactly one writer at a time without a thread of its own.
/// Owner: itself; the state it guards says `sequencer.requireInside()`.
/// Never: waits; a command that could block goes through `Offload` and comes back as a command.
/// Holds: SEQ-1 no two commands overlap; SEQ-2 commands of one thread run in the order it submitted them;
///        SEQ-3 at most `limit` commands wait, more are refused; SEQ-4 nobody inside waits for it.
///
/// ```
///   idle ── submit: run here ──▶ running ── nobody behind: leave, then run the afters ──▶ idle
///                                   │ others submit: queue (bounded)
///                                   └ ran `sliceCommands` of others: the rest goes to `overflow`
/// ```
/// A command that submits to its own sequencer queues behind what waits already.
///
/// The queue is a chain of tickets. A thread draws a place by swapping its ticket in as `tail`; that swap alone
/// decides the order. Then it ties its ticket to the one before. Whoever is inside and finds nothing tied behind
/// its last ticket leaves: by setting `tail` back to null, or, when somebody has drawn but not tied yet, by marking
/// that last ticket as left (tied to itself). The latecomer meets the mark and goes inside in its place, so nobody
/// ever waits for a thread that was stopped half-way.
public final class Sequencer {
    /// How many commands may wait while another thread is inside.
    public static final int DEFAULT_LIMIT_COMMANDS = 16_384;

    /// How many commands of others one thread runs before it hands the rest on.
    public static final int DEFAULT_SLICE_COMMANDS = 256;

    /// Told of a command that failed; the state it guards can no longer be trusted.
    public interface Faults {
        /// Called on the thread that ran the command. If it throws, the sequencer stays shut for good.
        void broken(String sequencer, Throwable cause);
    }

    /// A place in the chain; holds the ticket behind it, or itself once its thread has left.
    private static final class Ticket extends AtomicReference<@Nullable Ticket> {
        private static final long serialVersionUID = 1L;
        final transient Runnable command;

        Ticket(Runnable command) {
            this.command = command;
        }
    }

    private final String name;
    private final int limit;
    private final int slice;
    private final Offload overflow;
    private final Faults faults;

    /// The ticket of whoever submits while it is idle: only one such thread at a time, so one ticket does.
    private final Ticket first = new Ticket(() -> {});

    /// The ticket that was drawn last; null when idle.
    private final AtomicReference<@Nullable Ticket> tail = new AtomicReference<>();

    private final AtomicInteger waiting = new AtomicInteger();
    private volatile @Nullable Thread inside;
    /// Guarded by being inside.
    private List<Runnable> afters = new ArrayList<>();

    public Sequencer(String name, Offload overflow, Faults faults) {
        this(name, DEFAULT_LIMIT_COMMANDS, DEFAULT_SLICE_COMMANDS, overflow, faults);
    }

    public Sequencer(String name, int limitCommands, int sliceCommands, Offload overflow, Faults faults) {
        Require.that(limitCommands > 0, "a sequencer's limit must be positive");
        Require.that(sliceCommands > 0, "a sequencer's slice must be positive");
        this.name = name;
        this.limit = limitCommands;
        this.slice = sliceCommands;
        this.overflow = overflow;
        this.faults = faults;
    }

    /// Runs `command` now if idle, else queues it.
    ///
    /// @return false when too many commands wait already; the command was not taken and the caller answers "busy"
    public boolean submit(Runnable command) {
        if (runAtOnce(command)) {
            return true;
        }
        if (waiting.incrementAndGet() > limit) {
            waiting.decrementAndGet();
            return false;
        }
        enqueue(new Ticket(command));
        return true;
    }

    /// Runs `command` now if idle, else not at all: for work on bytes that are lent for this call only.
    ///
    /// @return whether it ran
    public boolean submitIfIdle(Runnable command) {
        return runAtOnce(command);
    }

    /// As `submit`, but never refuses: for completions and ticks, whose number something else bounds.
    public void submitAlways(Runnable command) {
        if (!runAtOnce(command)) {
            waiting.incrementAndGet();
            enqueue(new Ticket(command));
        }
    }

    /// Runs `command` in its turn and returns once it has run; for opening and closing. Blocks, so never from inside,
    /// and never where waiting is not allowed.
    public void runAndWait(Runnable command) {
        runAndWait(command, Duration.ofNanos(Long.MAX_VALUE));
    }

    /// As above, but waits no longer than `limit`.
    ///
    /// @return false when it has not run to its end by then; it still will in its turn
    public boolean runAndWait(Runnable command, Duration limit) {
        Invariant.check(!isInside(), "SEQ-4 nobody inside a sequencer waits for it");
        CountDownLatch ran = new CountDownLatch(1);
        submitAlways(() -> {
            try {
                command.run();
            } finally {
                ran.countDown();
            }
        });
        boolean interrupted = false;
        while (true) {
            try {
                boolean inTime = ran.await(limit.toNanos(), TimeUnit.NANOSECONDS);
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
                return inTime;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
    }

    /// From inside: runs `work` on this thread once it has left, so that others need not wait for it.
    ///
    /// Works of one stay inside keep their order. Work that submits here again may find the sequencer idle; then
    /// that command and its own afters run before the later works of the first.
    public void after(Runnable work) {
        requireInside();
        afters.add(work);
    }

    public void requireInside() {
        if (inside != Thread.currentThread()) {
            throw Invariant.broken("SEQ-1 state of \"" + name + "\" is touched from outside its sequencer");
        }
    }

    public boolean isInside() {
        return inside == Thread.currentThread();
    }

    private boolean runAtOnce(Runnable command) {
        if (tail.get() != null || !tail.compareAndSet(null, first)) {
            return false;
        }
        inside = Thread.currentThread();
        runGuarded(command);
        goOn(first);
        return true;
    }

    private void enqueue(Ticket mine) {
        Ticket before = tail.getAndSet(mine);
        if (before != null) {
            if (before.compareAndSet(null, mine)) {
                return;
            }
            // `before` is marked as left: we go inside in its place, and nobody else knows it any more.
            recycle(before);
        }
        enter(mine);
    }

    private void enter(Ticket mine) {
        inside = Thread.currentThread();
        runWaiting(mine);
        goOn(mine);
    }

    /// Runs what waits behind `done`, whose command has run, and leaves.
    private void goOn(Ticket done) {
        Ticket last = done;
        List<Runnable> mine = List.of();
        for (int ran = 0; ; ran++) {
            mine = takeAfters(mine);
            Ticket next = nextOrLeave(last);
            if (next == null) {
                break;
            }
            if (ran == slice) {
                handOn(next);
                break;
            }
            runWaiting(next);
            last = next;
        }
        for (Runnable work : mine) {
            runGuarded(work);
        }
    }

    /// @return the ticket behind `last`, or null: then this thread is no longer inside
    private @Nullable Ticket nextOrLeave(Ticket last) {
        Ticket next = last.get();
        if (next == null) {
            inside = null;
            if (tail.compareAndSet(last, null) || last.compareAndSet(null, last)) {
                return null;
            }
            inside = Thread.currentThread();
            next = last.get();
        }
        recycle(last);
        return next;
    }

    /// Only `first` is used again; by now no other thread has it in hand.
    private void recycle(Ticket ticket) {
        if (ticket == first) {
            first.set(null);
        }
    }

    /// The rest of a full slice; `tail` is not null meanwhile, so nobody else comes inside.
    private void handOn(Ticket next) {
        inside = null;
        try {
            overflow.run(() -> enter(next));
        } catch (Exception | Error e) {
            // Without this a refused hand-over would be a standstill without a name.
            faults.broken(name, e);
        }
    }

    private List<Runnable> takeAfters(List<Runnable> mine) {
        if (afters.isEmpty()) {
            return mine;
        }
        List<Runnable> taken = afters;
        afters = new ArrayList<>();
        if (mine.isEmpty()) {
            return taken;
        }
        mine.addAll(taken);
        return mine;
    }

    private void runWaiting(Ticket ticket) {
        waiting.decrementAndGet();
        runGuarded(ticket.command);
    }

    private void runGuarded(Runnable command) {
        try {
            command.run();
        } catch (Exception | Error e) {
            faults.broken(name, e);
        }
    }

    @Override
    public String toString() {
        return "Sequencer(" + name + ")";
    }
}
