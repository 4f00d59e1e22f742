package gantry.base;

import java.util.ArrayDeque;
import java.util.function.Supplier;

/// Lends reusable objects to whoever needs one for a moment.
///
/// For:   buffers and batches that are dear to make and short in use.
/// Owner: itself; safe from any thread. A borrowed object belongs to its borrower until it is given back.
/// Never: waits; an empty pool makes a new object, a full one lets the returned go.
public final class Pool<T> {
    private final int mostIdle;
    private final Supplier<T> maker;
    private final ArrayDeque<T> idle = new ArrayDeque<>();

    public Pool(int mostIdle, Supplier<T> maker) {
        this.mostIdle = mostIdle;
        this.maker = maker;
    }

    public T borrow() {
        synchronized (idle) {
            T last = idle.pollLast();
            if (last != null) {
                return last;
            }
        }
        return maker.get();
    }

    public void giveBack(T used) {
        synchronized (idle) {
            if (idle.size() < mostIdle) {
                idle.addLast(used);
            }
        }
    }
}
