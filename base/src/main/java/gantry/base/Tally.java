package gantry.base;

import java.util.concurrent.atomic.LongAdder;

/// Counts events from many threads.
///
/// For:   metrics and bounds that may be read a little late.
/// Owner: itself; safe from any thread.
/// Never: decisions that need an exact value.
public final class Tally {
    private final LongAdder sum = new LongAdder();

    public void add(long by) {
        sum.add(by);
    }

    public void increment() {
        sum.increment();
    }

    public void decrement() {
        sum.decrement();
    }

    public long read() {
        return sum.sum();
    }
}
