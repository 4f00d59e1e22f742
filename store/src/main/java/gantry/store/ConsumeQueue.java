package gantry.store;

import gantry.base.Image;
import gantry.base.Published;

/// One queue of one topic: which records of the log are its messages, by queueOffset.
///
/// For:   numbering messages, and finding them again.
/// Owner: the log sequencer; `minOffset`, `maxOffset` and `watched` may be read by anybody.
/// Holds: QUEUE-1 offsets are dense, unique and never used again; QUEUE-2 an entry below `maxOffset` never changes.
public final class ConsumeQueue {
    private final String topic;
    private final int queueId;
    private final Published minOffset = new Published(0);
    private final Published maxOffset = new Published(0);
    private final Image<Boolean> watched = new Image<>(false);

    ConsumeQueue(String topic, int queueId) {
        this.topic = topic;
        this.queueId = queueId;
    }

    public String topic() {
        return topic;
    }

    public int queueId() {
        return queueId;
    }

    /// The first offset that is kept.
    public long minOffset() {
        return minOffset.read();
    }

    /// The end of what is visible, exclusive.
    public long maxOffset() {
        return maxOffset.read();
    }

    /// Whether somebody waits for growth. Set it first and look at `maxOffset` after, or a wake-up may be missed.
    public Image<Boolean> watched() {
        return watched;
    }

    @Override
    public String toString() {
        return topic + "/" + queueId;
    }
}
