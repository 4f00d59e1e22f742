package gantry.store;

import gantry.base.Notices;
import gantry.store.Checkpoint.Mark;
import gantry.store.Disk.Done;
import gantry.store.StoreShape.QueueKey;
import gantry.wire.message.RecordView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Makes files again that say only what the log says.
///
/// For:   `gantry verify --repair`: consume queues and the checkpoint.
/// Owner: `StoreVerifier`, which holds the store's lock; blocks.
/// Never: the log, not even its torn end; files whose content the log does not tell.
final class StoreRepair {
    private static final Duration LONGEST_SYNC = Duration.ofMinutes(10);

    private final Disk disk;
    private final StoreShape shape;
    private final long logEnd;
    private final long lastMillis;
    private final Queues queues;
    private final QueueWriter writer;
    private final Redispatch redispatch;
    private final List<String> deeds = new ArrayList<>();

    /// @param logEnd where messages end, as the check found
    StoreRepair(Disk disk, EntryRule rule, StoreShape shape, DroppedTopics dropped, long logEnd, long lastMillis) {
        this.disk = disk;
        this.shape = shape;
        this.logEnd = logEnd;
        this.lastMillis = lastMillis;
        this.queues = new Queues(shape.queueFileBytes(), _ -> {}, dropped);
        this.writer = new QueueWriter(disk);
        Notices tell = (_, text) -> deeds.add(text);
        this.redispatch = new Redispatch(disk, tell, queues, writer, rule, Redispatch.ALL_WRITTEN);
    }

    /// @return what was done, in sentences
    List<String> run(List<QueueKey> broken) throws DiskFailed {
        // It would not be true any more; the next checkpoint brings it back.
        check(disk.delete(QueueEnds.FILE));
        check(disk.syncFolder(""));
        boolean ours = Checkpoint.load(disk, (_, _) -> {}).mark() != null;
        DroppedLoad leftovers = new DroppedLoad(disk, queues.dropped(), shape.queueFileBytes(), ours);
        for (QueueKey key : shape.queues().keySet()) {
            leftovers.clear(key.topic());
        }
        for (QueueKey key : broken) {
            ConsumeQueue queue = queues.findOrMake(key.topic(), key.queueId());
            redispatch.needsRebuild(queue, capacityEnd(key));
        }
        boolean damaged = rebuild(ours);
        redispatch.finish(true, new Redispatch.Losses(damaged, -1), _ -> {});
        check(writer.takeTouched().sync(disk, LONGEST_SYNC));
        writeCheckpoint();
        return deeds;
    }

    private long capacityEnd(QueueKey key) {
        long end = 0;
        for (Disk.FileEntry file : shape.queues().getOrDefault(key, List.of())) {
            long base = Names.offsetOf(file.name());
            end = Math.max(end, (base + shape.queueFileBytes()) / EntryChunk.ENTRY_BYTES);
        }
        return end;
    }

    /// @param ours nobody else has written to the log since it was sealed
    /// @return whether the log has bad places
    private boolean rebuild(boolean ours) throws DiskFailed {
        boolean damaged = false;
        long millis = 0;
        SealedReading sealed = ours ? new SealedReading(disk, shape.segmentBytes()) : null;
        for (long base : shape.logBases()) {
            SegmentWalk walk =
                    new SegmentWalk(disk, Segments.fileAt(base), base, shape.segmentBytes(), false).from(0, millis);
            SegmentWalk.Step step = base < logEnd ? walk.next() : SegmentWalk.Step.END;
            while (step != SegmentWalk.Step.END && base + walk.place() <= logEnd) {
                if (step == SegmentWalk.Step.RECORD) {
                    RecordView record = walk.view();
                    long from = walk.logOffset() - base;
                    redispatch.rebuild(record, sealed != null && sealed.isChanged(base, from, from + record.size()));
                } else {
                    damaged = true;
                }
                step = walk.next();
            }
            millis = walk.lastMillis();
        }
        redispatch.endRebuild();
        return damaged || redispatch.sawDoubt();
    }

    /// Names what is true now, so that the next start has nothing to look through.
    private void writeCheckpoint() throws DiskFailed {
        List<Segment> mapped = new ArrayList<>();
        try {
            for (long base : shape.logBases()) {
                check(disk.syncNow(Segments.fileAt(base)));
                mapped.add(Segment.open(disk, base));
            }
            Segments segments = new Segments(shape.segmentBytes(), mapped);
            DroppedTopics dropped = queues.dropped();
            long entryCount = dropped.entryCount();
            for (QueueKey key : allQueues()) {
                ConsumeQueue queue = new TopicQueues(
                                key.topic(), dropped.beginOf(key.topic()), shape.queueFileBytes(), _ -> {})
                        .queue(key.queueId());
                new QueueLoad(queue, disk, segments, logEnd).run(false, (_, text) -> deeds.add(text));
                entryCount += queue.givenCount();
            }
            IndexMark known = Checkpoint.load(disk, (_, _) -> {}).index();
            // Without a mark the next start indexes the whole log, while it serves.
            IndexMark index = known != null ? known : new IndexMark(segments.minOffset(), null);
            Mark mark = new Mark(logEnd, lastMillis, entryCount);
            check(Export.overwrite(disk, Checkpoint.FILE, Checkpoint.encode(mark, index)));
            deeds.add(disk.describe(Checkpoint.FILE) + " was written: the log and its queues reach to " + logEnd);
        } finally {
            mapped.forEach(Segment::end);
        }
    }

    private List<QueueKey> allQueues() throws DiskFailed {
        List<QueueKey> all = new ArrayList<>(shape.queues().keySet());
        for (ConsumeQueue queue : queues.all()) {
            QueueKey key = new QueueKey(queue.topic(), queue.queueId());
            if (!shape.queues().containsKey(key)) {
                all.add(key);
            }
        }
        return all;
    }

    private static void check(Done done) throws DiskFailed {
        if (done instanceof Done.Failed failed) {
            throw new DiskFailed(failed);
        }
    }
}
