package gantry.store;

import gantry.base.Sequencer;
import java.util.ArrayList;
import java.util.List;

/// Queues that have grown.
///
/// For:   showing entries, waking who waits for them, and seeing to it that they get to the files.
/// Owner: the log sequencer.
/// Never: touches files.
final class Growth {
    /// How many queues are looked at for unneeded memory in one tick.
    private static final int TRIMMED_PER_TICK = 4096;

    private final Sequencer sequencer;
    private final boolean settles;
    private List<ConsumeQueue> sinceFlush = new ArrayList<>();
    private final List<ConsumeQueue> inMemory = new ArrayList<>();
    private int trimAt;
    private long handOvers;

    /// @param settles whether entries that are shown must wait for `settle` before they may be written
    /// @param recovered queues with entries that recovery has left in memory, and that may be written
    Growth(Sequencer sequencer, boolean settles, List<ConsumeQueue> recovered) {
        this.sequencer = sequencer;
        this.settles = settles;
        recovered.forEach(this::list);
    }

    /// Shows all entries of a batch.
    void show(AppendBatch batch) {
        int last = batch.count() - 1;
        for (int i = 0; i <= last; i++) {
            ConsumeQueue queue = batch.queue(i);
            if (i == last || batch.queue(i + 1) != queue) {
                show(queue, batch.queueOffset(i) + 1);
            }
        }
    }

    void show(ConsumeQueue queue, long end) {
        if (!queue.show(end)) {
            return;
        }
        if (!settles) {
            list(queue);
        }
        if (queue.watched().read()) {
            sequencer.after(queue.wake);
        }
    }

    /// Entries that are shown may be written now.
    void settle(ConsumeQueue queue, long end) {
        if (end > queue.settledEnd) {
            queue.settledEnd = end;
            list(queue);
        }
    }

    private void list(ConsumeQueue queue) {
        if (!queue.listedForFlush) {
            queue.listedForFlush = true;
            sinceFlush.add(queue);
        }
        if (!queue.listedForTrim) {
            queue.listedForTrim = true;
            inMemory.add(queue);
        }
    }

    /// Gives memory back that is not needed any more, of some queues in turn.
    void trim() {
        for (int looked = Math.min(TRIMMED_PER_TICK, inMemory.size()); looked > 0 && !inMemory.isEmpty(); looked--) {
            if (trimAt >= inMemory.size()) {
                trimAt = 0;
            }
            ConsumeQueue queue = inMemory.get(trimAt);
            if (!queue.closed() && queue.trim()) {
                trimAt++;
            } else {
                queue.listedForTrim = false;
                ConsumeQueue moved = inMemory.remove(inMemory.size() - 1);
                if (moved != queue) {
                    inMemory.set(trimAt, moved);
                }
            }
        }
    }

    /// Tells the queue flush, after the sequencer is left, which queues have grown.
    ///
    /// @param mark a place in the log below which everything that has grown is handed over now or was before
    void handOver(QueueFlush flush, Checkpoint.Mark mark, long nowNanos) {
        QueueFlush.Grown grown = grown(take());
        long number = ++handOvers;
        sequencer.after(() -> flush.submit(grown, number, mark, nowNanos));
    }

    /// How far these may be written.
    QueueFlush.Grown grown(List<ConsumeQueue> queues) {
        return new QueueFlush.Grown(
                queues,
                settles ? queues.stream().mapToLong(queue -> queue.settledEnd).toArray() : null);
    }

    private List<ConsumeQueue> take() {
        if (sinceFlush.isEmpty()) {
            return List.of();
        }
        List<ConsumeQueue> grown = sinceFlush;
        sinceFlush = new ArrayList<>();
        for (ConsumeQueue queue : grown) {
            queue.listedForFlush = false;
        }
        return grown;
    }
}
