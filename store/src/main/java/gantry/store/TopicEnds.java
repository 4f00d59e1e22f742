package gantry.store;

import gantry.base.Sequencer;
import java.time.Duration;
import java.util.Map;

/// How topics and their messages end, and how topics begin again.
///
/// For:   deleting topics, hiding what is older than a topic keeps, and telling a topic from an earlier one of its
/// name.
/// Owner: the store; every method may be called from any thread.
/// Never: knows what a topic is allowed, or who asks.
public final class TopicEnds {
    /// Read at once where somebody looks for a queue's first message.
    private static final int ENTRIES_AT_ONCE = 256;

    private final Disk disk;
    private final Sequencer sequencer;
    private final Queues queues;
    private final Log log;
    private final QueueRebuild rebuild;
    private final TopicExpiry expiry;

    TopicEnds(Disk disk, Sequencer sequencer, Queues queues, Log log, QueueRebuild rebuild, TopicExpiry expiry) {
        this.disk = disk;
        this.sequencer = sequencer;
        this.queues = queues;
        this.log = log;
        this.rebuild = rebuild;
        this.expiry = expiry;
    }

    /// Where queues of this topic begin that have no message yet.
    public long begin(String topic) {
        TopicQueues there = queues.find(topic);
        return there == null ? queues.dropped().beginOf(topic) : there.begin();
    }

    /// From here on messages for the topic are refused (`GONE`), also those on their way: what is appended behind this
    /// call, as the word that the topic is deleted, stands behind all of its messages. `drop` follows.
    public void close(String topic) {
        sequencer.submitAlways(() -> log.close(topic));
    }

    /// Deletes the queues of a topic, with their files: sends on their way are refused (`GONE`), readers find nothing.
    /// A topic of that name that is made later goes on behind all offsets that were given, so that what anybody
    /// remembers of the old one points before its begin.
    ///
    /// @param settled told when no crash can bring the topic back; its files may still be there for a moment.
    ///        Never told when the store is fenced or closed before
    public void drop(String topic, Runnable settled) {
        sequencer.submitAlways(() -> log.drop(topic, log.appended(), settled));
    }

    /// As above, for a deletion that the log tells of, as another member or a former life has written it.
    ///
    /// @param logEnd where the record ends that says so, which is confirmed; all messages of the topic are
    ///               below: see `hasBelow`
    public void drop(String topic, long logEnd, Runnable settled) {
        sequencer.submitAlways(() -> log.drop(topic, logEnd, settled));
    }

    /// Whether the topic has confirmed messages below a place in the log, of which is not written down that they went
    /// with an earlier topic. Waits for the disk.
    public boolean hasBelow(String topic, long logOffset) {
        TopicQueues there = queues.find(topic);
        return there != null
                && droppedBelow(topic) < logOffset
                && there.all().stream().anyMatch(queue -> hasBelow(queue, logOffset));
    }

    /// A topic ended at a place in the log below which it has no messages: what comes now, or is here already, is a new
    /// topic's and begins anew, though queues may be known from the earlier one. Waits for the disk.
    public void beginAnew(String topic, long logOffset) {
        TopicQueues there = queues.find(topic);
        if (there != null) {
            for (ConsumeQueue queue : there.all()) {
                awaitRebuilt(queue);
            }
            sequencer.submitAlways(() -> log.beginAnew(topic, logOffset));
        }
    }

    private boolean hasBelow(ConsumeQueue queue, long logOffset) {
        awaitRebuilt(queue);
        Entries entries = new Entries(disk, queue, ENTRIES_AT_ONCE);
        long at = queue.minOffset();
        while (at < queue.maxOffset() && !queue.missing().covers(at)) {
            if (!entries.moveTo(at, queue.maxOffset())) {
                if (queue.minOffset() <= at) {
                    // It cannot be read, and is older than most.
                    return true;
                }
                at = queue.minOffset();
            } else if (entries.size() > 0 && !entries.isFiller()) {
                return entries.logOffset() < logOffset;
            } else {
                // Where a queue is made again, a filler stands in the place of what the log has let go.
                at = Math.max(at + 1, queue.minOffset());
            }
        }
        return false;
    }

    private void awaitRebuilt(ConsumeQueue queue) {
        rebuild.runUntilReadable(queue, queue.missing().to() - 1);
    }

    /// Hides messages of these topics that are older than they keep them; to be called every few seconds. What the
    /// queues begin with afterwards is younger; the log keeps the bytes for as long as its own retention does.
    public void expire(Map<String, Duration> kept) {
        sequencer.submitAlways(() -> expiry.expire(kept));
    }

    /// The same, at once; waits for the disk. For the start, before anybody is served: a restart must not bring back
    /// what was hidden.
    public void expireNow(Map<String, Duration> kept) {
        sequencer.runAndWait(() -> expiry.expireNow(kept));
    }

    /// Messages of this topic below it belonged to an earlier topic of that name, which was dropped; 0 for none.
    public long droppedBelow(String topic) {
        DroppedTopic row = queues.dropped().find(topic);
        return row == null ? 0 : row.logOffset();
    }
}
