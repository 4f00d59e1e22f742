package gantry.store;

import gantry.base.Invariant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Ends of queues that wait for the log: a queue may go on to `shows` once the log has come to `end`.
///
/// For:   letting queue entries go in log order, without an object for each.
/// Owner: whoever made it.
/// Holds: RING-1 every place in use holds a queue; ends never go down from first to last.
final class QueueRing {
    private @Nullable ConsumeQueue[] queues = new ConsumeQueue[256];
    private long[] shows = new long[256];
    private long[] ends = new long[256];
    private int first;
    private int count;

    void add(ConsumeQueue queue, long showsTo, long end) {
        if (count == queues.length) {
            grow();
        }
        int at = (first + count) & (queues.length - 1);
        queues[at] = queue;
        shows[at] = showsTo;
        ends[at] = end;
        count++;
    }

    /// Whether the first waits for no more than this.
    boolean has(long logOffset) {
        return count > 0 && ends[first] <= logOffset;
    }

    boolean isEmpty() {
        return count == 0;
    }

    ConsumeQueue queue() {
        ConsumeQueue queue = queues[first];
        Invariant.check(queue != null, "RING-1 every place in use of the ring holds a queue");
        return queue;
    }

    long shows() {
        return shows[first];
    }

    long end() {
        return ends[first];
    }

    void drop() {
        queues[first] = null;
        first = (first + 1) & (queues.length - 1);
        count--;
    }

    /// Shows every end, from the first to the last.
    void forEachEnd(LongConsumer each) {
        for (int i = 0; i < count; i++) {
            each.accept(ends[(first + i) & (queues.length - 1)]);
        }
    }

    /// The same in the order of their ends.
    QueueRing sorted() {
        QueueRing ordered = new QueueRing();
        IntStream.range(0, count)
                .map(i -> (first + i) & (queues.length - 1))
                .boxed()
                .sorted(Comparator.comparingLong(at -> ends[at]))
                .forEach(at -> {
                    ConsumeQueue queue = queues[at];
                    Invariant.check(queue != null, "RING-1 every place in use of the ring holds a queue");
                    ordered.add(queue, shows[at], ends[at]);
                });
        return ordered;
    }

    private void grow() {
        int old = queues.length;
        queues = rotate(Arrays.copyOf(queues, old * 2), old);
        shows = rotate(Arrays.copyOf(shows, old * 2), old);
        ends = rotate(Arrays.copyOf(ends, old * 2), old);
    }

    /// The part before `first` moves behind the old end, so that the ring is in order again.
    private <A> A rotate(A array, int old) {
        System.arraycopy(array, 0, array, old, first);
        return array;
    }
}
