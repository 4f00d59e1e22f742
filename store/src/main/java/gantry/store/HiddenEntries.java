package gantry.store;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Entries of records that a start has found above the place up to which the log is proven to be confirmed.
///
/// For:   a log that somebody owns: they wait in memory, unseen and in no file, until its owner confirms them.
/// Owner: recovery; the ring is handed over.
/// Never: bounded by itself: 20 bytes for each record that was written since the last checkpoint, and that is
///        bounded by what may wait in a store that runs.
final class HiddenEntries {
    private final long from;
    private final Set<ConsumeQueue> queues = new LinkedHashSet<>();
    private QueueRing ring = new QueueRing();

    /// @param from nothing of records below it is hidden
    HiddenEntries(long from) {
        this.from = from;
    }

    boolean covers(long recordEnd) {
        return recordEnd > from;
    }

    boolean holds(ConsumeQueue queue) {
        return queues.contains(queue);
    }

    void add(ConsumeQueue queue, long logOffset, int size, long tagsCode, long recordEnd) {
        queue.number();
        queue.add(logOffset, size, tagsCode);
        queues.add(queue);
        ring.add(queue, queue.next(), recordEnd);
    }

    /// Queues that were made again come behind others, though their records do not.
    void sort() {
        ring = ring.sorted();
    }

    List<ConsumeQueue> queues() {
        return List.copyOf(queues);
    }

    QueueRing ring() {
        return ring;
    }
}
