package gantry.store;

import gantry.base.Clock;
import gantry.base.Notices;
import gantry.base.Offload;
import gantry.base.Sequencer;
import gantry.store.Disk.Done;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/// Drops topics: takes their queues away from everybody, and then their files from the disk.
///
/// ```
///   drop ─▶ queues marked and unlinked, row put ─▶ log settled up to there ─▶ outside: file `droppedtopics` replaced
///        ─▶ settled ─▶ queue flush lets go ─▶ outside: files deleted ─▶ queue flush: empty folders deleted ─▶ next
/// ```
/// For:   a topic that leaves nothing behind, whatever is written to it or read from it meanwhile.
/// Owner: the log sequencer; what waits for the disk runs outside and comes back.
/// Never: a topic that nobody asked to drop; messages, which the log keeps until retention lets them go.
/// Holds: DROP-1 and DROP-2 of `DroppedTopics`; QUEUE-1, because a topic of that name goes on in files of its own.
final class TopicDrops {
    /// Every wait for the disk in here.
    private static final Duration LONGEST_SYNC = Duration.ofMinutes(10);

    /// After a failure.
    private static final long RETRY_NANOS = 2_000_000_000L;

    /// What the table has to have on disk before anybody is told.
    ///
    /// @param begin the files below it go
    private record Drop(String topic, long begin, List<Retired> retired, Runnable settled) {}

    /// A queue that nothing is written for any more.
    ///
    /// @param end the offset behind the last that it gave
    record Retired(ConsumeQueue queue, long end) {}

    private final Disk disk;
    private final Clock clock;
    private final Offload offload;
    private final Sequencer sequencer;
    private final SegmentShelf shelf;
    private final Queues queues;
    private final QueueFlush flush;
    private final LogSync sync;
    private final LongSupplier settled;
    private final Complaint complaint;
    private List<Drop> waiting = new ArrayList<>();
    private long waitsFor;
    private boolean underWay;
    private boolean ended;
    private long retryNanos;

    /// @param settled up to where the log is durable and confirmed
    TopicDrops(
            Disk disk,
            Clock clock,
            Offload offload,
            Notices notices,
            Sequencer sequencer,
            SegmentShelf shelf,
            Queues queues,
            QueueFlush flush,
            LogSync sync,
            LongSupplier settled) {
        this.disk = disk;
        this.clock = clock;
        this.offload = offload;
        this.sequencer = sequencer;
        this.shelf = shelf;
        this.queues = queues;
        this.flush = flush;
        this.sync = sync;
        this.settled = settled;
        this.complaint = new Complaint(notices);
        this.retryNanos = clock.nanos();
    }

    /// @param settled told when no crash can bring the topic's messages back; never, if the store closes before
    void drop(String topic, long logEnd, Runnable settled) {
        sequencer.requireInside();
        TopicQueues gone = queues.find(topic);
        if (gone == null) {
            sequencer.after(settled);
            return;
        }
        gone.drop();
        List<Retired> retired = new ArrayList<>();
        long highest = gone.begin();
        long given = 0;
        for (ConsumeQueue queue : gone.all()) {
            highest = Math.max(highest, queue.next());
            given += queue.givenCount();
            retired.add(new Retired(queue, queue.next()));
        }
        // Above all that was given: a member that copies the log must not take the next message for one of these.
        long begin = (highest / entriesPerFile() + 1) * entriesPerFile();
        boolean known = given > 0;
        if (known) {
            queues.dropped().settled(false);
            queues.dropped().put(new DroppedTopic(topic, logEnd, begin), given);
        }
        queues.unlink(topic);
        for (ConsumeQueue queue : gone.all()) {
            queue.startAt(begin);
            if (queue.watched().read()) {
                sequencer.after(queue.wake);
            }
        }
        if (!known) {
            sequencer.after(settled);
            return;
        }
        waitsFor = Math.max(waitsFor, logEnd);
        waiting.add(new Drop(topic, begin, retired, settled));
        pump();
    }

    /// A topic ended at a place below which none of its messages is here. Its queues may still go on where the earlier
    /// topic's did; those of a topic that is here again begin where its first message stands.
    void beginAnew(String topic, long logEnd) {
        sequencer.requireInside();
        TopicQueues there = queues.find(topic);
        boolean known = queues.dropped().covers(topic, logEnd - 1);
        if (there == null || known || there.all().stream().anyMatch(ConsumeQueue::lacksEntries)) {
            return;
        }
        long first = Long.MAX_VALUE;
        long given = 0;
        for (ConsumeQueue queue : there.all()) {
            first = queue.isEmpty() ? first : Math.min(first, queue.minOffset());
            given += queue.isEmpty() ? queue.givenCount() : 0;
        }
        if (first == Long.MAX_VALUE) {
            if (given > 0) {
                drop(topic, logEnd, () -> {});
            }
            return;
        }
        if (first % entriesPerFile() != 0) {
            // Of the first messages some are hidden already: those behind them show where the others begin.
            return;
        }
        there.beginAt(first);
        queues.dropped().settled(false);
        queues.dropped().put(new DroppedTopic(topic, logEnd, first), given);
        waitsFor = Math.max(waitsFor, logEnd);
        waiting.add(new Drop(topic, first, List.of(), () -> {}));
        pump();
    }

    private long entriesPerFile() {
        return queues.queueFileBytes() / EntryChunk.ENTRY_BYTES;
    }

    /// Whether nothing is left to do for the topics that were dropped so far.
    boolean isThrough() {
        return waiting.isEmpty() && !underWay;
    }

    /// Goes on if it can; called after drops, when the log has become durable, and at every tick.
    void pump() {
        if (waiting.isEmpty() || underWay || ended || clock.nanos() - retryNanos < 0) {
            return;
        }
        if (settled.getAsLong() < waitsFor) {
            sync.start();
            return;
        }
        List<Drop> drops = waiting;
        waiting = new ArrayList<>();
        underWay = true;
        byte[] table = table();
        offload.run(() -> {
            Done done = Export.overwrite(disk, DroppedTopics.FILE, table, LONGEST_SYNC);
            sequencer.submitAlways(() -> written(drops, done));
        });
    }

    private byte[] table() {
        queues.dropped().prune(shelf.read().minOffset(), queues::has);
        return queues.dropped().encode();
    }

    private void written(List<Drop> drops, Done done) {
        if (ended) {
            return;
        }
        if (done instanceof Done.Failed failed) {
            waiting.addAll(0, drops);
            underWay = false;
            retryNanos = clock.nanos() + RETRY_NANOS;
            complaint.alarm(
                    drops.size() + " topics cannot be deleted for good, and it is tried again: " + failed.sentence(),
                    clock.nanos());
            return;
        }
        queues.dropped().settled(waiting.isEmpty());
        List<Retired> retired = new ArrayList<>();
        // The topic may be dropped again by now: what is in files of its own since is another drop's.
        Map<String, Long> begins = new LinkedHashMap<>();
        for (Drop drop : drops) {
            retired.addAll(drop.retired());
            begins.merge(drop.topic(), drop.begin(), Math::max);
            sequencer.after(drop.settled());
        }
        flush.retire(retired, () -> offload.run(() -> deleteFiles(begins)));
    }

    /// Outside: nobody writes to these files any more. What a crash leaves of them is deleted by the next start.
    private void deleteFiles(Map<String, Long> begins) {
        List<String> folders = new ArrayList<>();
        Done done = Done.Ok.NOTHING;
        for (Map.Entry<String, Long> topic : begins.entrySet()) {
            Done one = new TopicFiles(disk, topic.getKey(), queues.queueFileBytes())
                    .deleteBelow(topic.getValue(), folders);
            done = one.isOk() ? done : one;
        }
        Done last = done;
        flush.deleteFolders(folders, () -> sequencer.submitAlways(() -> deleted(last)));
    }

    private void deleted(Done done) {
        underWay = false;
        if (done instanceof Done.Failed failed) {
            complaint.alarm(
                    "Files of a deleted topic could not be deleted; the next start tries again: " + failed.sentence(),
                    clock.nanos());
        }
        pump();
    }

    /// Nothing is deleted any more.
    void end() {
        ended = true;
    }

    /// Writes down what was dropped last; waits for the disk, but not longer than `limit`. After the log is durable.
    Done finish(Duration limit) {
        sequencer.requireInside();
        ended = true;
        return waiting.isEmpty() && !underWay
                ? Done.Ok.NOTHING
                : Export.overwrite(disk, DroppedTopics.FILE, table(), limit);
    }
}
