package gantry.sim.house;

import gantry.sim.SimFailure;
import gantry.sim.disk.SimDisk;
import gantry.store.ConsumeQueue;
import gantry.store.Durability;
import gantry.store.Fetch;
import gantry.store.FetchRequest;
import gantry.store.Store;
import gantry.store.TagCodes;
import gantry.wire.message.RecordView;
import java.util.TreeMap;

/// Looks inside a running broker after every event.
///
/// For:   seeing a broken promise at the event that breaks it, long before a client could.
/// Owner: the scheduler's thread; one per life.
final class BrokerProbe {
    private static final String LOG_FOLDER = "commitlog";

    private final Store store;
    private final Durability durability;
    private final SimDisk disk;
    private final TreeMap<String, Long> shown = new TreeMap<>();
    private long confirmed;

    BrokerProbe(Store store, Durability durability, SimDisk disk) {
        this.store = store;
        this.durability = durability;
        this.disk = disk;
        this.confirmed = store.minOffset();
    }

    void check() {
        long now = store.confirmOffset();
        if (now == confirmed) {
            return;
        }
        if (now < confirmed) {
            throw new SimFailure("P2 confirmOffset goes back from " + confirmed + " to " + now);
        }
        if (now > store.appended()) {
            throw new SimFailure("P2 confirmOffset " + now + " is beyond the log's end " + store.appended());
        }
        if (durability == Durability.SYNCED) {
            long certain = disk.certainUpTo(LOG_FOLDER, confirmed, now);
            if (certain < now) {
                throw new SimFailure(
                        "P1 confirmOffset is " + now + ", but a power cut could take back what lies at " + certain);
            }
        }
        confirmed = now;
        for (ConsumeQueue queue : store.queues()) {
            checkQueue(queue);
        }
    }

    private void checkQueue(ConsumeQueue queue) {
        long end = queue.maxOffset();
        long before = shown.getOrDefault(queue.toString(), queue.minOffset());
        if (end == before) {
            return;
        }
        if (end < before) {
            throw new SimFailure("P2 maxOffset of " + queue + " goes back from " + before + " to " + end);
        }
        if (!store.isReadable(queue, end - 1)) {
            return;
        }
        shown.put(queue.toString(), end);
        disk.faults().withoutReadFailures(() -> checkLast(queue, end));
    }

    private Fetch checkLast(ConsumeQueue queue, long end) {
        RecordView view = new RecordView();
        Fetch fetch = store.fetch(queue, new FetchRequest(end - 1, 1, 1, TagCodes.ANY), (found, ranges) -> {
            var range = ranges.getFirst();
            view.wrap(range, range.position(), range.limit(), false);
            if (view.logOffset() + view.size() > confirmed || view.queueOffset() != end - 1) {
                throw new SimFailure("P2 " + queue + ":" + (end - 1) + " is visible, but ends at "
                        + (view.logOffset() + view.size()) + ", above confirmOffset " + confirmed);
            }
        });
        boolean isLost = durability == Durability.WRITTEN && fetch.status() == Fetch.Status.MESSAGE_WAS_REMOVING;
        if (fetch.status() != Fetch.Status.FOUND && !isLost) {
            throw new SimFailure("P3 " + queue + " shows " + end + " messages, but the last is " + fetch.status());
        }
        return fetch;
    }
}
