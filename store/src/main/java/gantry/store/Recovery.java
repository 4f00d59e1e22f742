package gantry.store;

import gantry.base.Clock;
import gantry.base.Notices;
import gantry.store.Checkpoint.Mark;
import gantry.store.Disk.Done;
import gantry.store.Disk.FileEntry;
import gantry.wire.message.Check;
import gantry.wire.message.RecordView;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Brings what is on disk into a state that can be served.
///
/// ```
///   log:     │ segments …       checkpoint ─┐                    ┌─ first record that is not valid
///            ├─────────────────────────────┼────────────────────┼──────────────▶
///              believed                      every record checked   cut away
///   queues:  │ entries are on disk           given again            cut away
/// ```
/// For:   opening a store after a clean stop, after a crash, and after a crash of an opening.
/// Owner: `Store.open`; runs before anybody else sees the store, so it needs no sequencer.
/// Never: replaces what it does not understand: it says what is wrong and stops.
/// Holds: RECOVER-1 until everything is on disk, the checkpoint and the `abort` mark stay as they were, so that an
///        interrupted recovery is simply run again.
final class Recovery {
    /// How far behind the log's end whole messages are looked for.
    private static final int LOOK_BEHIND_BYTES = 64 << 20;

    private final StoreConfig config;
    private final Disk disk;
    private final Notices notices;
    private final Queues queues;
    private final QueueWriter writer;
    private final Redispatch redispatch;
    private final RecoveryWatch watch;
    private long doubtfulHead = -1;

    Recovery(StoreConfig config, Disk disk, Clock clock, Notices notices, Queues queues, EntryRule rule) {
        this.config = config;
        this.disk = disk;
        this.notices = notices;
        this.watch = new RecoveryWatch(disk, clock, notices);
        this.queues = queues;
        this.writer = new QueueWriter(disk);
        this.redispatch = new Redispatch(disk, notices, queues, writer, rule);
    }

    Recovered run() throws DiskFailed, OpenFailed {
        boolean clean = disk.list("").stream().noneMatch(entry -> entry.name().equals(Store.ABORT.name()));
        Checkpoint checkpoint = Checkpoint.load(disk, notices);
        Mark certain = checkpoint.mark();
        List<Long> bases = new LogFiles(
                        config, disk, notices, clean, certain == null ? Long.MAX_VALUE : certain.logOffset())
                .load();
        if (bases.isEmpty()) {
            return begin(checkpoint);
        }
        markOpen();
        List<Segment> mapped = new ArrayList<>();
        boolean done = false;
        try {
            for (long base : bases) {
                mapped.add(Segment.open(disk, base));
            }
            Recovered recovered = recover(new Segments(config.segmentBytes(), mapped), checkpoint, clean);
            done = true;
            return recovered;
        } finally {
            if (!done) {
                mapped.forEach(Segment::end);
            }
        }
    }

    /// An empty store.
    private Recovered begin(Checkpoint checkpoint) throws DiskFailed, OpenFailed {
        String folder = disk.describe(new FileId(Segments.FOLDER));
        if (checkpoint.mark() != null && checkpoint.mark().logOffset() > 0) {
            throw new OpenFailed(folder + " is empty, but " + disk.describe(Checkpoint.FILE) + " says that the log"
                    + " reaches to " + checkpoint.mark().logOffset() + ". Is its file system mounted? Bring the files"
                    + " back, or delete the checkpoint and the folder " + QueueFiles.ROOT + " to start empty.");
        }
        if (!disk.list(QueueFiles.ROOT).isEmpty()) {
            throw new OpenFailed(folder + " is empty, but there are consume queues beside it. Is its file system"
                    + " mounted? Bring the files back, or delete the folder " + QueueFiles.ROOT + " to start empty.");
        }
        markOpen();
        FileId first = Segments.fileAt(0);
        check(disk.create(first, config.segmentBytes()));
        check(disk.syncNow(first));
        check(disk.syncFolder(Segments.FOLDER));
        // From the beginning on a start can tell what was certain; without it, it could be anybody's store.
        check(Export.overwrite(disk, Checkpoint.FILE, Checkpoint.encode(new Mark(0, 0, 0), new IndexMark(0, null))));
        Segments segments = new Segments(config.segmentBytes(), List.of(Segment.open(disk, 0)));
        return new Recovered(segments, new Mark(0, 0, 0), queues, checkpoint, false, -1, writer);
    }

    /// From here on a start that finds this mark knows that no clean stop came between.
    private void markOpen() throws DiskFailed {
        check(new OpenMark(config.segmentBytes(), config.queueFileBytes()).leave(disk));
    }

    private Recovered recover(Segments segments, Checkpoint checkpoint, boolean clean) throws DiskFailed, OpenFailed {
        Mark mark = checkpoint.mark();
        checkReach(segments, mark);
        long start =
                mark == null ? startByTime(segments, checkpoint) : Math.max(mark.logOffset(), segments.minOffset());
        // Without a mark of ours nobody knows what was on disk: then it is better to keep too much than to cut too
        // much.
        long certain = mark == null ? Long.MAX_VALUE : start;
        loadQueues(segments, start, clean);
        if (mark != null && mark.entryCount() != entryCount()) {
            notices.warn("The consume queues do not hold as many entries as the checkpoint says (" + entryCount()
                    + " instead of " + mark.entryCount() + "): the whole log is compared with them.");
            watch.begins("compared with the consume queues", segments.minOffset(), start);
            new LogScan(disk, segments, LogScan.Depth.PARTS, watch)
                    .run(segments.minOffset(), start, start, redispatch::compare);
        }
        if (doubtfulHead > segments.minOffset()) {
            watch.begins("read for messages before the begin of their queues", segments.minOffset(), doubtfulHead);
            new LogScan(disk, segments, LogScan.Depth.PARTS, watch)
                    .run(segments.minOffset(), doubtfulHead, doubtfulHead, redispatch::compareHead);
        }
        LogScan scan = new LogScan(disk, segments, LogScan.Depth.WHOLE, watch);
        watch.begins("checked", start, segments.endOffset());
        long end = scan.run(start, Long.MAX_VALUE, certain, redispatch::add);
        if (redispatch.hasBroken()) {
            watch.begins("read for consume queues that are made again", segments.minOffset(), end);
            new LogScan(disk, segments, mark == null ? LogScan.Depth.WHOLE : LogScan.Depth.CHECKSUMS, watch)
                    .run(segments.minOffset(), end, end, redispatch::rebuild);
        }
        redispatch.finish(
                clean,
                new Redispatch.Losses(
                        watch.damageCount() > 0, mark == null ? -1 : mark.entryCount() + redispatch.addedCount()));
        boolean exact = clean && mark != null && mark.logOffset() == end && !redispatch.hasBroken();
        Segments kept = exact ? segments : cutBehind(segments, start, end, scan);
        if (!clean) {
            watch.tellChecked(
                    where(segments, start)
                            + (mark == null ? ", because there is no checkpoint" : ", the last checkpoint"),
                    start,
                    end,
                    scan.recordCount(),
                    !scan.stoppedAtEnd());
        }
        long lastMillis = Math.max(scan.lastMillis(), mark == null ? 0 : mark.storeMillis());
        Mark reached = new Mark(end, lastMillis, entryCount());
        return new Recovered(kept, reached, queues, checkpoint, clean, exact ? end : -1, writer);
    }

    private String where(Segments segments, long at) {
        Segment segment = segments.find(at);
        return segment == null
                ? "the end of " + disk.describe(segments.last().file())
                : "byte " + (at - segment.base()) + " of " + disk.describe(segment.file());
    }

    private void checkReach(Segments segments, @Nullable Mark mark) throws OpenFailed {
        if (mark != null && mark.logOffset() > segments.endOffset()) {
            throw new OpenFailed(disk.describe(Segments.fileAt(segments.endOffset())) + " is missing: "
                    + disk.describe(Checkpoint.FILE) + " says that the log reaches to " + mark.logOffset()
                    + ". Restore the file from a copy, or delete the checkpoint to go on without what was in it.");
        }
    }

    /// The newest segment that begins safely before everything that may be missing; RocketMQ's rule.
    private long startByTime(Segments segments, Checkpoint checkpoint) {
        List<Segment> all = segments.all();
        RecordView view = new RecordView();
        for (int i = all.size() - 1; i > 0; i--) {
            Segment segment = all.get(i);
            if (beginsValid(segment, view) && view.storeMillis() > 0 && view.storeMillis() <= checkpoint.safeMillis()) {
                return segment.base();
            }
        }
        return segments.minOffset();
    }

    private static boolean beginsValid(Segment segment, RecordView view) {
        return view.wrap(segment.bytes(), 0, segment.bytes().capacity(), true) == Check.OK
                && view.logOffset() == segment.base();
    }

    private void loadQueues(Segments segments, long trusted, boolean clean) throws DiskFailed {
        for (FileEntry topic : disk.list(QueueFiles.ROOT)) {
            if (topic.folder()) {
                for (FileEntry id : disk.list(QueueFiles.ROOT + "/" + topic.name())) {
                    loadQueue(segments, trusted, clean, topic.name(), id);
                }
            }
        }
    }

    private void loadQueue(Segments segments, long trusted, boolean clean, String topic, FileEntry id)
            throws DiskFailed {
        int queueId = queueIdOf(id);
        if (queueId < 0) {
            notices.warn(disk.describe(new FileId(QueueFiles.ROOT + "/" + topic + "/" + id.name()))
                    + " is not the folder of a queue and is left alone.");
            return;
        }
        ConsumeQueue queue = queues.findOrMake(topic, queueId);
        QueueLoad load = new QueueLoad(queue, disk, segments, trusted);
        if (!load.run(clean, notices)) {
            redispatch.needsRebuild(queue, load.capacityEnd());
        } else {
            doubtfulHead = Math.max(doubtfulHead, load.doubtfulHead());
        }
    }

    /// @return -1 when it is not the folder of a queue
    static int queueIdOf(FileEntry id) {
        if (!id.folder() || !id.name().matches("0|[1-9][0-9]{0,8}")) {
            return -1;
        }
        return Integer.parseInt(id.name());
    }

    private long entryCount() {
        long sum = 0;
        for (ConsumeQueue queue : queues.all()) {
            sum += queue.next();
        }
        return sum;
    }

    /// Zeros behind the log's end, no file behind the one with the end, and all of it on disk.
    private Segments cutBehind(Segments segments, long start, long end, LogScan scan) throws DiskFailed {
        tellWhatIsCut(segments, end, scan);
        List<Segment> kept = new ArrayList<>(segments.all());
        while (kept.size() > 1 && kept.get(kept.size() - 1).base() > end) {
            // From the newest down, each for certain before the next: a crash must not leave a gap.
            Segment behind = kept.remove(kept.size() - 1);
            check(disk.delete(behind.file()));
            check(disk.syncFolder(Segments.FOLDER));
            behind.end();
        }
        Segment last = kept.get(kept.size() - 1);
        if (end < last.base() + config.segmentBytes()) {
            check(disk.cut(last.file(), end - last.base()));
        }
        for (Segment segment : kept) {
            if (segment.base() + config.segmentBytes() > start) {
                check(disk.syncNow(segment.file()));
            }
        }
        // The process may have died, and not the machine: then names can be seen that are not certain yet.
        check(disk.syncFolder(Segments.FOLDER));
        return new Segments(config.segmentBytes(), kept);
    }

    /// After a loss of power a whole message may stand behind one that did not get to the disk: it was not certain, and
    /// goes with the rest. But who lost a disk's sector reads the same bytes, so it is said.
    private void tellWhatIsCut(Segments segments, long end, LogScan scan) throws DiskFailed {
        Segment holder = segments.find(end);
        if (holder == null) {
            return;
        }
        int place = (int) (end - holder.base());
        int length = Math.min(holder.bytes().capacity(), place + LOOK_BEHIND_BYTES);
        SegmentWalk walk =
                new SegmentWalk(disk, holder.file(), holder.base(), length, true).from(place, scan.lastMillis());
        long whole = 0;
        for (SegmentWalk.Step step = walk.next(); step != SegmentWalk.Step.END; step = walk.next()) {
            whole += step == SegmentWalk.Step.RECORD ? 1 : 0;
        }
        Segment next = segments.find(holder.base() + holder.bytes().capacity());
        boolean more = next != null && next.bytes().getLong(0) != 0;
        String where = "The commit log ends at " + end + ": at byte " + place + " of " + disk.describe(holder.file())
                + " there is " + scan.stop() + ".";
        if (whole > 0 || more) {
            notices.alarm(where + " What follows is cut away, with it " + (more ? "more than " : "") + whole
                    + " messages that are whole but were not yet certain to be on disk.");
        } else if (!scan.stoppedAtEnd()) {
            notices.warn(where + " What follows is cut away.");
        }
    }

    private static void check(Done done) throws DiskFailed {
        if (done instanceof Done.Failed failed) {
            throw new DiskFailed(failed);
        }
    }
}
