package gantry.store;

import gantry.base.Invariant;
import gantry.base.Published;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/// What waits for `confirmOffset`: queue entries to be shown, batches to be answered, works to be run.
///
/// For:   letting all of it go in log order once `confirmOffset` moves.
/// Owner: the log sequencer; `workCount` may be read by anybody.
/// Never: moves `confirmOffset`.
final class Unconfirmed {
    /// How many works may wait.
    static final int MAX_WORKS = 16_384;

    private record Work(long logOffset, long order, Runnable run) implements Comparable<Work> {
        @Override
        public int compareTo(Work other) {
            int byOffset = Long.compare(logOffset, other.logOffset);
            return byOffset != 0 ? byOffset : Long.compare(order, other.order);
        }
    }

    private final ArrayDeque<AppendBatch> batches = new ArrayDeque<>();
    private final PriorityQueue<Work> works = new PriorityQueue<>();
    private final Published workCount = new Published(0);
    private long workOrder;

    /// A ring of queue ends: the queue may show entries below `shows` once the log is confirmed up to `ends`.
    private @Nullable ConsumeQueue[] queues = new ConsumeQueue[256];

    private long[] shows = new long[256];
    private long[] ends = new long[256];
    private int first;
    private int count;

    void add(AppendBatch waiting) {
        batches.addLast(waiting);
    }

    /// The next batch that waits for no more than `confirmOffset`.
    @Nullable
    AppendBatch nextBatch(long confirmOffset) {
        AppendBatch next = batches.peekFirst();
        return next != null && next.endOffset() <= confirmOffset ? batches.pollFirst() : null;
    }

    /// The next batch that has waited for too long.
    @Nullable
    AppendBatch nextLate(long nowNanos) {
        AppendBatch next = batches.peekFirst();
        return next != null && next.deadlineNanos() - nowNanos <= 0 ? batches.pollFirst() : null;
    }

    @Nullable
    AppendBatch nextBatch() {
        return batches.pollFirst();
    }

    void add(long logOffset, Runnable work) {
        works.add(new Work(logOffset, workOrder++, work));
        workCount.reset(works.size());
    }

    @Nullable
    Runnable nextWork(long confirmOffset) {
        Work next = works.peek();
        if (next == null || next.logOffset > confirmOffset) {
            return null;
        }
        works.poll();
        workCount.reset(works.size());
        return next.run;
    }

    long workCount() {
        return workCount.read();
    }

    /// @param shows where the queue's visible entries end once `end` is confirmed
    void add(ConsumeQueue queue, long shows, long end) {
        if (count == queues.length) {
            grow();
        }
        int at = (first + count) & (queues.length - 1);
        queues[at] = queue;
        this.shows[at] = shows;
        ends[at] = end;
        count++;
    }

    boolean hasShow(long confirmOffset) {
        return count > 0 && ends[first] <= confirmOffset;
    }

    ConsumeQueue showQueue() {
        ConsumeQueue queue = queues[first];
        Invariant.check(queue != null, "CONFIRM-1 every place in use of the ring holds a queue");
        return queue;
    }

    long showEnd() {
        return shows[first];
    }

    void dropShow() {
        queues[first] = null;
        first = (first + 1) & (queues.length - 1);
        count--;
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
