package gantry.store;

import gantry.base.Clock;
import gantry.base.Lease;
import gantry.base.Offload;
import gantry.base.Sequencer;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/// Hides messages that are older than their topic keeps them.
///
/// ```
///   expire ─▶ outside: in each queue the first message that is young enough ─▶ inside: minOffset goes there
/// ```
/// For:   topics that keep messages for less long than the log does.
/// Owner: the log sequencer; queues are searched outside of it, because that reads.
/// Never: deletes anything: the log is shared, and its own retention lets files go; so nothing is lost by a short time
///        that was a slip, except for those who look meanwhile. Queue files stay as long as the log has the messages.
final class TopicExpiry {
    private final Disk disk;
    private final Clock clock;
    private final Offload offload;
    private final Sequencer sequencer;
    private final Lease session;
    private final Log log;
    private final Queues queues;
    private boolean underWay;

    TopicExpiry(Disk disk, Clock clock, Offload offload, Sequencer sequencer, Lease session, Log log, Queues queues) {
        this.disk = disk;
        this.clock = clock;
        this.offload = offload;
        this.sequencer = sequencer;
        this.session = session;
        this.log = log;
        this.queues = queues;
    }

    /// @param kept for how long topics keep messages, those that say so
    void expire(Map<String, Duration> kept) {
        sequencer.requireInside();
        if (underWay || kept.isEmpty()) {
            return;
        }
        underWay = true;
        offload.run(() -> {
            Map<ConsumeQueue, Long> found = session.take() ? search(kept) : Map.of();
            sequencer.submitAlways(() -> {
                found.forEach(TopicExpiry::hide);
                underWay = false;
            });
        });
    }

    /// The same at once; only while nobody is served.
    void expireNow(Map<String, Duration> kept) {
        sequencer.requireInside();
        if (session.take()) {
            search(kept).forEach(TopicExpiry::hide);
        }
    }

    private static void hide(ConsumeQueue queue, long min) {
        if (!queue.closed()) {
            queue.hideBelow(min);
        }
    }

    private Map<ConsumeQueue, Long> search(Map<String, Duration> kept) {
        try {
            Map<ConsumeQueue, Long> raised = new LinkedHashMap<>();
            long now = clock.wallMillis();
            kept.forEach((topic, time) -> {
                TopicQueues ofTopic = queues.find(topic);
                if (ofTopic != null) {
                    ofTopic.all().forEach(queue -> search(queue, now - time.toMillis(), raised));
                }
            });
            return raised;
        } finally {
            session.giveBack();
        }
    }

    private void search(ConsumeQueue queue, long oldestMillis, Map<ConsumeQueue, Long> raised) {
        long min = queue.minOffset();
        if (min >= queue.maxOffset()) {
            return;
        }
        TimeSearch search = new TimeSearch(log, disk, queue);
        if (search.storeMillisAt(min) >= oldestMillis) {
            return;
        }
        long first = search.offsetAt(oldestMillis, Boundary.LOWER);
        if (first > min) {
            raised.put(queue, first);
        }
    }
}
