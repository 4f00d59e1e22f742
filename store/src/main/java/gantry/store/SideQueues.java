package gantry.store;

import gantry.store.Checkpoint.Mark;
import gantry.store.QueueEnds.End;
import gantry.store.StoreShape.QueueKey;
import gantry.wire.message.RecordView;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Where the queues of a log that is being copied begin and end, as its records tell.
///
/// ```
///   the log's records of a queue:     │ 300 │ … │ 411 │          begin 300, end 412
///   none, but the leader says 412:                             begin 412, end 412: its next message gets that
/// ```
/// For:   a copied log that is opened without queue files: they are made again while it serves, since their ends are
///        known.
/// Owner: the one caller of `SideStore`.
/// Never: an entry of a topic that was gone when the record's place was copied from the leader.
final class SideQueues {
    private static final class Range {
        final long min;
        long end;

        Range(long min, long end) {
            this.min = min;
            this.end = end;
        }
    }

    private final Map<QueueKey, Range> ranges = new LinkedHashMap<>();
    private final DroppedTopics dropped;

    SideQueues(DroppedTopics dropped, @Nullable QueueEnds held) {
        this.dropped = dropped;
        if (held != null) {
            held.queues().forEach((key, end) -> ranges.put(key, new Range(end.min(), end.end())));
        }
    }

    void add(RecordView record) {
        if (!Redispatch.hasEntry(record) || dropped.covers(record.topic(), record.logOffset())) {
            return;
        }
        long offset = record.queueOffset();
        Range range =
                ranges.computeIfAbsent(new QueueKey(record.topic(), record.queueId()), _ -> new Range(offset, offset));
        range.end = Math.max(range.end, offset + 1);
    }

    /// For a copy that goes on after the process has ended.
    byte[] encode(long logOffset, long storeMillis) {
        return encode(ranges, logOffset, storeMillis);
    }

    /// What `checkpoint.queues` is to say.
    ///
    /// @param leaders what the leader said at some time before the copied log's end; null when nothing is known
    /// @param behind the first offset of each queue that has messages from `logOffset` on
    Ends at(long logOffset, long storeMillis, @Nullable QueueEnds leaders, Map<QueueKey, Long> behind) {
        Map<QueueKey, Range> at = new LinkedHashMap<>();
        ranges.forEach((key, range) -> {
            long end = behind.getOrDefault(key, range.end);
            at.put(key, new Range(Math.min(range.min, end), end));
        });
        if (leaders != null) {
            leaders.queues().forEach((key, end) -> {
                Range known = at.get(key);
                if (known == null) {
                    at.put(key, new Range(end.end(), end.end()));
                } else if (!behind.containsKey(key)) {
                    // The log may have lost its last messages; their offsets were given nevertheless.
                    known.end = Math.max(known.end, end.end());
                }
            });
        }
        at.entrySet()
                .removeIf(entry ->
                        entry.getValue().end <= dropped.beginOf(entry.getKey().topic()));
        long count = dropped.entryCount();
        for (Map.Entry<QueueKey, Range> entry : at.entrySet()) {
            count += entry.getValue().end - dropped.beginOf(entry.getKey().topic());
        }
        return new Ends(new Mark(logOffset, storeMillis, count), encode(at, logOffset, storeMillis, count));
    }

    /// Content of a file, and the mark in it.
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Ends(Mark mark, byte[] content) {}

    private static byte[] encode(Map<QueueKey, Range> ranges, long logOffset, long storeMillis) {
        return encode(ranges, logOffset, storeMillis, 0);
    }

    private static byte[] encode(Map<QueueKey, Range> ranges, long logOffset, long storeMillis, long entryCount) {
        QueueEnds.Writer writer = new QueueEnds.Writer(new Mark(logOffset, storeMillis, entryCount));
        ranges.forEach((key, range) -> writer.add(key.topic(), key.queueId(), new End(range.min, range.end, true)));
        return writer.content();
    }
}
