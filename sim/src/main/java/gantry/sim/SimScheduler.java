package gantry.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Runs events one after another in the order of virtual time.
///
/// For:   making a whole cluster one deterministic program: same seed, same events, same hash.
/// Owner: the one thread that calls `step`.
/// Never: real time, threads, or an order that depends on anything but time and the order of asking.
/// Holds: SIM-1 time never goes back; SIM-2 events of one instant happen in the order they were asked for.
public final class SimScheduler {
    public static final long MICRO = 1_000L;
    public static final long MILLI = 1_000_000L;
    public static final long SECOND = 1_000_000_000L;

    /// @param dueNanos when it was asked for; `atNanos` is later when its life was paused then
    private record Event(long atNanos, long dueNanos, long order, Life life, String what, Runnable work)
            implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            int byTime = Long.compare(atNanos, other.atNanos);
            int byDue = byTime != 0 ? byTime : Long.compare(dueNanos, other.dueNanos);
            return byDue != 0 ? byDue : Long.compare(order, other.order);
        }

        Event postponed(long nanos) {
            return new Event(nanos, dueNanos, order, life, what, work);
        }
    }

    private final long seed;
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final List<Runnable> checks = new ArrayList<>();
    private final EventHash hash = new EventHash();
    private final @Nullable Consumer<String> trace;
    private long now;
    private long asked;
    private long happened;
    private @Nullable Event current;

    /// @param trace gets one line for every event, or null
    public SimScheduler(long seed, @Nullable Consumer<String> trace) {
        this.seed = seed;
        this.trace = trace;
    }

    public long seed() {
        return seed;
    }

    public long nanos() {
        return now;
    }

    /// How many events have happened.
    public long happened() {
        return happened;
    }

    public long hash() {
        return hash.value();
    }

    /// A stream of random numbers of its own: more draws from one never shift the numbers of another.
    public RandomGenerator fork(String purpose) {
        EventHash mixed = new EventHash();
        mixed.mix(seed);
        mixed.mix(purpose);
        return new SplittableRandom(mixed.value());
    }

    /// Asks for `work` to happen in `delayNanos` from now, unless `life` has ended by then.
    public void after(long delayNanos, Life life, String what, Runnable work) {
        long due = now + Math.max(0, delayNanos);
        events.add(new Event(due, due, asked++, life, what, work));
    }

    /// Asks for `work` every `periodNanos` as long as `life` lasts.
    public void every(long periodNanos, Life life, String what, Runnable work) {
        after(periodNanos, life, what, () -> {
            work.run();
            every(periodNanos, life, what, work);
        });
    }

    /// Adds a question that is asked after every event; it throws when the answer is wrong.
    public void checkAfterEveryEvent(Runnable check) {
        checks.add(check);
    }

    /// Makes a fact part of the hash, and of the trace.
    public void note(String fact) {
        hash.mix(fact);
        trace(fact);
    }

    /// Adds a line to the trace only.
    public void trace(String line) {
        if (trace != null) {
            trace.accept("        · " + line);
        }
    }

    /// Makes a number part of the hash.
    public void mix(long fact) {
        hash.mix(fact);
    }

    public boolean tracing() {
        return trace != null;
    }

    /// Lets the next event happen.
    ///
    /// @return false when nothing is left to happen
    public boolean step() {
        Event next = events.poll();
        if (next == null) {
            return false;
        }
        now = next.atNanos;
        if (!next.life.alive()) {
            return true;
        }
        if (next.life.pausedUntilNanos() > now) {
            events.add(next.postponed(next.life.pausedUntilNanos()));
            return true;
        }
        happen(next);
        return true;
    }

    /// Runs everything up to and at `nanos`; then it is `nanos`.
    public void runUntil(long nanos) {
        for (Event next = events.peek(); next != null && next.atNanos <= nanos; next = events.peek()) {
            step();
        }
        now = Math.max(now, nanos);
    }

    /// Text for whoever reads a failure: when, and during which event.
    public String where() {
        String time = String.format(Locale.ROOT, "%.6f s, event %d", now / 1e9, happened);
        return current == null ? time : time + " (" + current.life + ": " + current.what + ")";
    }

    private void happen(Event event) {
        current = event;
        happened++;
        hash.mix(event.atNanos);
        hash.mix(event.life.host());
        hash.mix(event.what);
        if (trace != null) {
            trace.accept(
                    String.format(Locale.ROOT, "%13.6f %8d %-14s %s", now / 1e9, happened, event.life, event.what));
        }
        try {
            event.work.run();
            for (Runnable check : checks) {
                check.run();
            }
        } catch (SimFailure failure) {
            throw new SimFailure(failure.getMessage() + ", at " + where(), failure);
        } catch (RuntimeException | Error escaped) {
            if (!event.life.alive()) {
                // It ended in the middle of this event; what the dead do no longer counts.
                return;
            }
            throw new SimFailure("an exception escaped at " + where() + ": " + escaped, escaped);
        }
        current = null;
    }
}
