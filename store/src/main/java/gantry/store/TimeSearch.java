package gantry.store;

/// Looks for messages by the time at which they were stored.
///
/// For:   `Store.offsetAt` and `Store.storeMillisAt`.
/// Owner: the thread that searches.
/// Never: guesses: what cannot be read is -1.
final class TimeSearch {
    /// What cannot be told.
    static final long UNKNOWN = -1;

    private final Log log;
    private final ConsumeQueue queue;
    private final Entries entries;
    private final long min;
    private final long max;

    TimeSearch(Log log, Disk disk, ConsumeQueue queue) {
        this.log = log;
        this.queue = queue;
        this.entries = new Entries(disk, queue, 1);
        this.min = queue.minOffset();
        this.max = queue.maxOffset();
    }

    long offsetAt(long millis, Boundary boundary) {
        return switch (boundary) {
            case LOWER -> firstFrom(millis);
            case UPPER -> {
                long behind = millis == Long.MAX_VALUE ? max : firstFrom(millis + 1);
                yield behind == UNKNOWN ? UNKNOWN : Math.max(min, behind - 1);
            }
        };
    }

    long storeMillisAt(long queueOffset) {
        if (queue.missing().covers(queueOffset)) {
            return UNKNOWN;
        }
        if (queueOffset < min || queueOffset >= max || !entries.moveTo(queueOffset, max)) {
            return UNKNOWN;
        }
        long logOffset = entries.logOffset();
        Segment segment = log.segments().find(logOffset);
        if (segment == null || !segment.take()) {
            return UNKNOWN;
        }
        try {
            int at = (int) (logOffset - segment.base());
            boolean there = StoredRecord.isAt(segment.bytes(), at, entries.size(), logOffset);
            return there ? StoredRecord.storeMillis(segment.bytes(), at) : UNKNOWN;
        } catch (InternalError e) {
            // The disk cannot read it; whoever fetches it is told.
            return UNKNOWN;
        } finally {
            segment.giveBack();
        }
    }

    /// The first message stored at or after a time, `max` when there is none.
    private long firstFrom(long millis) {
        long low = min;
        long high = max;
        while (low < high) {
            long middle = (low + high) >>> 1;
            long stored = storeMillisAt(middle);
            if (stored == UNKNOWN) {
                return UNKNOWN;
            }
            if (stored < millis) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    @Override
    public String toString() {
        return "TimeSearch(" + queue + ")";
    }
}
