package gantry.store;

import gantry.base.Published;
import java.util.ArrayDeque;
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

    /// Queue entries that are not shown yet.
    private final QueueRing shows;

    /// @param hidden entries of records that the log has already
    Unconfirmed(QueueRing hidden) {
        this.shows = hidden;
    }

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

    /// Queue entries that wait to be shown.
    QueueRing shows() {
        return shows;
    }
}
