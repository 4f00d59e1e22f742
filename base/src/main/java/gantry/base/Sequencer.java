package gantry.base;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Runs commands strictly one after another, on the thread that submits when it is idle.
///
/// For:   giving a piece of state exactly one writer at a time without a thread of its own.
/// Owner: itself; the state it guards says `sequencer.requireInside()`.
/// Never: waits; a command that could block goes through `Offload` and comes back as a command.
/// Holds: SEQ-1 no two commands overlap; SEQ-2 commands of one thread run in the order it submitted them;
///        SEQ-3 at most `limit` commands wait, more are refused.
///
/// ```
///   idle ── submit: run here ──▶ running ── queue empty: leave, then run the afters ──▶ idle
///                                   │ others submit: queue (bounded)
///                                   └ drained `sliceCommands` in a row: the rest goes to `overflow`
/// ```
/// A command that submits to its own sequencer queues behind what waits already.
public final class Sequencer {
    /// How many commands may wait while another thread is inside.
    public static final int DEFAULT_LIMIT_COMMANDS = 16_384;

    /// How many commands of others one thread runs before it hands the rest on.
    public static final int DEFAULT_SLICE_COMMANDS = 256;

    /// Told of a command that failed; the state it guards can no longer be trusted.
    public interface Faults {
        void broken(String sequencer, Throwable cause);
    }

    private final String name;
    private final int limit;
    private final int slice;
    private final Offload overflow;
    private final Faults faults;

    /// Commands that run or wait; whoever moves it from 0 to 1 is inside.
    private final AtomicInteger pending = new AtomicInteger();

    private final ConcurrentLinkedQueue<Runnable> waiting = new ConcurrentLinkedQueue<>();
    private volatile @Nullable Thread inside;
    /// Guarded by being inside.
    private List<Runnable> afters = new ArrayList<>();

    public Sequencer(String name, Offload overflow, Faults faults) {
        this(name, DEFAULT_LIMIT_COMMANDS, DEFAULT_SLICE_COMMANDS, overflow, faults);
    }

    public Sequencer(String name, int limitCommands, int sliceCommands, Offload overflow, Faults faults) {
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
        if (pending.get() == 0 && pending.compareAndSet(0, 1)) {
            inside = Thread.currentThread();
            runGuarded(command);
            drain(1);
            return true;
        }
        if (pending.get() >= limit) {
            return false;
        }
        enqueue(command);
        return true;
    }

    /// As `submit`, but never refuses: for completions and ticks, whose number something else bounds.
    public void submitAlways(Runnable command) {
        if (pending.get() == 0 && pending.compareAndSet(0, 1)) {
            inside = Thread.currentThread();
            runGuarded(command);
            drain(1);
            return;
        }
        enqueue(command);
    }

    /// From inside: runs `work` on this thread once it has left, so that others need not wait for it.
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

    private void enqueue(Runnable command) {
        waiting.add(command);
        if (pending.getAndIncrement() == 0) {
            inside = Thread.currentThread();
            drain(0);
        }
    }

    /// Runs what waits and leaves; `alreadyDone` commands have run but are still counted in `pending`.
    private void drain(int alreadyDone) {
        int done = alreadyDone;
        int ran = 0;
        List<Runnable> mine = List.of();
        while (true) {
            mine = takeAfters(mine);
            inside = null;
            int left = pending.addAndGet(-done);
            if (left == 0) {
                break;
            }
            if (ran >= slice) {
                overflow.run(this::resume);
                break;
            }
            inside = Thread.currentThread();
            done = 0;
            // Only as many as are counted: a command is added before it is counted, and running one that is not counted
            // yet would let `pending` reach zero with somebody inside.
            while (ran < slice && done < left) {
                Runnable next = waiting.poll();
                if (next == null) {
                    throw Invariant.broken("SEQ-1 \"" + name + "\" counts more commands than it holds");
                }
                runGuarded(next);
                done++;
                ran++;
            }
        }
        for (Runnable after : mine) {
            runGuarded(after);
        }
    }

    /// Goes on with what a full slice left; `pending` is still above zero, so nobody else is inside.
    private void resume() {
        inside = Thread.currentThread();
        drain(0);
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
