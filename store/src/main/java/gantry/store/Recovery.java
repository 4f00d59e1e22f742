package gantry.store;

import gantry.base.Clock;
import gantry.base.Notices;
import gantry.store.Checkpoint.Mark;
import gantry.store.Disk.Done;
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
///   queues:  │ entries are on disk           given again, in memory cut away
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
    private final EntryRule rule;
    private final SealOpening sealing;

    Recovery(StoreConfig config, Disk disk, Clock clock, Notices notices, Queues queues, EntryRule rule) {
        this.config = config;
        this.disk = disk;
        this.notices = notices;
        this.watch = new RecoveryWatch(disk, clock, notices);
        this.sealing = new SealOpening(disk, notices, config.segmentBytes());
        this.queues = queues;
        this.rule = rule;
        this.writer = new QueueWriter(disk);
        this.redispatch = new Redispatch(disk, notices, queues, writer, rule, config.maxUnflushedEntries());
    }

    Recovered run() throws DiskFailed, OpenFailed {
        boolean clean = disk.list("").stream().noneMatch(entry -> entry.name().equals(Store.ABORT.name()));
        Checkpoint checkpoint = Checkpoint.load(disk, notices);
        // What is written down beside a checkpoint stands in for one that is lost, but not for RocketMQ's.
        QueueEnds ends = checkpoint.foreign() ? null : QueueEnds.load(disk);
        Mark certain = ends == null ? checkpoint.mark() : ends.mark();
        List<Long> bases = new LogFiles(
                        config, disk, notices, clean, certain == null ? Long.MAX_VALUE : certain.logOffset())
                .load();
        if (bases.isEmpty()) {
            return begin(checkpoint, certain);
        }
        markOpen();
        List<Segment> mapped = new ArrayList<>();
        boolean done = false;
        try {
            for (long base : bases) {
                mapped.add(Segment.open(disk, base));
            }
            Recovered recovered = recover(new Segments(config.segmentBytes(), mapped), checkpoint, ends, clean);
            done = true;
            return recovered;
        } finally {
            if (!done) {
                mapped.forEach(Segment::end);
            }
        }
    }

    /// An empty store.
    private Recovered begin(Checkpoint checkpoint, @Nullable Mark mark) throws DiskFailed, OpenFailed {
        String folder = disk.describe(new FileId(Segments.FOLDER));
        if (mark != null && mark.logOffset() > 0) {
            throw new OpenFailed(folder + " is empty, but " + disk.describe(Checkpoint.FILE) + " says that the log"
                    + " reaches to " + mark.logOffset()
                    + ". Is its file system mounted? Bring the files back, or delete"
                    + " checkpoint, " + QueueEnds.FILE.path() + " and the folder " + QueueFiles.ROOT
                    + " to start empty.");
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
        Mark nothing = new Mark(0, 0, 0);
        byte[] noEnds = new QueueEnds.Writer(nothing).content();
        check(Export.overwriteAll(
                disk, QueueFlush.contents(nothing, noEnds, new IndexMark(0, null)), QueueFlush.LONGEST_ROUND));
        SealOpening.Opened sealed = sealing.begin();
        Segments segments = new Segments(config.segmentBytes(), List.of(Segment.open(disk, 0)));
        return new Recovered(
                segments,
                nothing,
                queues,
                checkpoint,
                false,
                -1,
                writer,
                List.of(),
                Rebuild.NOTHING,
                sealed,
                nothing,
                new QueueRing(),
                List.of());
    }

    /// From here on a start that finds this mark knows that no clean stop came between.
    private void markOpen() throws DiskFailed {
        check(new OpenMark(config.segmentBytes(), config.queueFileBytes()).leave(disk));
    }

    private Recovered recover(Segments segments, Checkpoint checkpoint, @Nullable QueueEnds written, boolean clean)
            throws DiskFailed, OpenFailed {
        QueueEnds ends =
                written == null || isPlaceOfRecord(segments, written.mark().logOffset(), checkpoint) ? written : null;
        Mark mark = ends == null ? checkpoint.mark() : ends.mark();
        checkReach(segments, mark);
        long start =
                mark == null ? startByTime(segments, checkpoint) : Math.max(mark.logOffset(), segments.minOffset());
        HiddenEntries hidden = new HiddenEntries(config.isOwned() ? start : Long.MAX_VALUE);
        if (config.isOwned()) {
            redispatch.hide(hidden);
        }
        // Without a mark of ours nobody knows what was on disk: then it is better to keep too much than to cut too
        // much.
        boolean foreign = checkpoint.mark() == null;
        long certain = mark == null ? Long.MAX_VALUE : foreign ? start : sealing.certain(start);
        QueueLoads loads = new QueueLoads(disk, notices, segments, queues, redispatch, ends, mark != null, watch);
        loads.run(start, clean);
        SealedReading seals = foreign ? null : new SealedReading(disk, config.segmentBytes());
        compareIfInDoubt(segments, mark, start, loads, seals, ends != null);
        LogScan scan = new LogScan(disk, segments, LogScan.Depth.WHOLE, watch).against(seals);
        watch.begins("checked", start, segments.endOffset());
        long end = scan.run(start, Long.MAX_VALUE, certain, record -> redispatch.add(record, scan.isInDoubt()));
        redispatch.endAdd();
        checkProven(mark, segments.minOffset(), end);
        loads.followLog();
        if (redispatch.hasBroken()) {
            watch.begins("read for consume queues that are made again", segments.minOffset(), end);
            LogScan again = new LogScan(
                            disk, segments, mark == null ? LogScan.Depth.WHOLE : LogScan.Depth.CHECKSUMS, watch)
                    .against(seals);
            again.run(segments.minOffset(), end, end, record -> redispatch.rebuild(record, again.isInDoubt()));
            redispatch.endRebuild();
        }
        redispatch.finish(
                clean,
                new Redispatch.Losses(
                        watch.damageCount() > 0 || redispatch.sawDoubt(),
                        mark == null ? -1 : mark.entryCount() + redispatch.addedCount()),
                count -> watch.queues("have been brought to their end", count));
        boolean isWhole = loads.lost().isEmpty() && !redispatch.hasBroken();
        boolean exact = clean && mark != null && mark.logOffset() == end && isWhole;
        tellWhatWasCertain(end, certain);
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
        SealOpening.Opened sealed = sealing.open(kept, start, end, foreign, clean, watch.damages());
        long lastMillis = Math.max(scan.lastMillis(), mark == null ? 0 : mark.storeMillis());
        if (queues.dropped().endAt(end)) {
            check(Export.overwrite(disk, DroppedTopics.FILE, queues.dropped().encode()));
        }
        Mark reached = new Mark(end, lastMillis, queues.entryCount());
        List<RottenPlace> rotten = seals == null ? List.of() : List.copyOf(seals.found());
        tellRotten(rotten, start);
        Rebuild rebuild = new Rebuild(loads.lost(), start, rule);
        return new Recovered(
                kept,
                reached,
                queues,
                checkpoint,
                clean,
                exact ? end : -1,
                writer,
                redispatch.unflushed(),
                rebuild,
                sealed,
                mark == null || !config.isOwned() || end <= start
                        ? reached
                        : new Mark(start, mark.storeMillis(), mark.entryCount()),
                hidden.ring(),
                rotten);
    }

    /// What is not written down queue by queue is counted; a count that is wrong costs a look at the whole log.
    ///
    /// @param endsAreKnown queue by queue: then a record in doubt has nothing to add
    private void compareIfInDoubt(
            Segments segments,
            @Nullable Mark mark,
            long start,
            QueueLoads loads,
            @Nullable SealedReading seals,
            boolean endsAreKnown)
            throws DiskFailed, OpenFailed {
        if (mark != null && isDoubtful(mark, loads)) {
            notices.warn("The consume queues do not hold as many entries as the checkpoint says (" + queues.entryCount()
                    + " instead of " + mark.entryCount() + "): the whole log is compared with them.");
            watch.begins("compared with the consume queues", segments.minOffset(), start);
            LogScan all = new LogScan(disk, segments, LogScan.Depth.PARTS, watch).against(seals);
            all.run(segments.minOffset(), start, start, record -> redispatch.compare(record, all.isInDoubt()));
            redispatch.endCompare(endsAreKnown);
        }
        long doubtfulHead = loads.doubtfulHead();
        if (doubtfulHead > segments.minOffset()) {
            watch.begins("read for messages before the begin of their queues", segments.minOffset(), doubtfulHead);
            LogScan head = new LogScan(disk, segments, LogScan.Depth.PARTS, watch).against(seals);
            head.run(
                    segments.minOffset(),
                    doubtfulHead,
                    doubtfulHead,
                    record -> redispatch.compareHead(record, head.isInDoubt()));
        }
    }

    private static boolean isDoubtful(Mark mark, QueueLoads loads) {
        long kept = loads.keptEntryCount();
        return loads.lost().isEmpty()
                ? kept != mark.entryCount()
                // Of the lost ones it is known only how far they had got at the most.
                : kept + loads.lostEntryCount() < mark.entryCount();
    }

    /// Whether records lead to this place: if somebody else has written in between, a place of ours need not be one.
    private boolean isPlaceOfRecord(Segments segments, long logOffset, Checkpoint checkpoint)
            throws DiskFailed, OpenFailed {
        Segment segment = segments.find(logOffset);
        if (segment == null || logOffset == segment.base() || checkpoint.mark() != null) {
            return true;
        }
        LogScan scan = new LogScan(disk, segments, LogScan.Depth.PARTS, watch);
        return scan.run(segment.base(), logOffset, logOffset, _ -> {}) == logOffset;
    }

    private String where(Segments segments, long at) {
        Segment segment = segments.find(at);
        return segment == null
                ? "the end of " + disk.describe(segments.last().file())
                : "byte " + (at - segment.base()) + " of " + disk.describe(segment.file());
    }

    /// What others may have told us to take back must not be shown, and only a checkpoint of ours says what
    /// that is.
    private void checkProven(@Nullable Mark mark, long begin, long end) throws OpenFailed {
        if (config.isOwned() && mark == null && end > begin) {
            throw new OpenFailed(disk.describe(Checkpoint.FILE) + " does not say how far the commit log is confirmed: a"
                    + " RocketMQ broker wrote the store last, or the file is lost, with " + QueueEnds.FILE.path()
                    + ". Start the broker once as the only member of its group, and stop it cleanly: then all that is"
                    + " there counts as confirmed. A member that only copies can start with an empty folder"
                    + " instead.");
        }
    }

    private void checkReach(Segments segments, @Nullable Mark mark) throws OpenFailed {
        if (mark != null && mark.logOffset() > segments.endOffset()) {
            throw new OpenFailed(disk.describe(Segments.fileAt(segments.endOffset())) + " is missing: "
                    + disk.describe(Checkpoint.FILE) + " says that the log reaches to " + mark.logOffset()
                    + ". Restore the file from a copy, or delete checkpoint and " + QueueEnds.FILE.path()
                    + " to go on without what was in it.");
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

    /// Nothing behind the log's end, for certain.
    private Segments cutBehind(Segments segments, long start, long end, LogScan scan) throws DiskFailed {
        tellWhatIsCut(segments, end, scan);
        return new TailCut(disk, Segments.FOLDER).run(segments, start, end);
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

    /// @param checkedFrom from there on every block is compared with its seal, and told
    private void tellRotten(List<RottenPlace> rotten, long checkedFrom) {
        rotten.stream()
                .filter(place -> place.from() < checkedFrom)
                .limit(SealOpening.MOST_TOLD)
                .forEach(place -> notices.alarm(SealOpening.BIT_ROT.formatted(place.what())));
    }

    private void tellWhatWasCertain(long end, long certain) {
        if (certain != Long.MAX_VALUE && end < certain) {
            notices.alarm("The commit log ends at " + end + ", but its seals say that it was on disk up to " + certain
                    + ": the end of " + disk.describe(Segments.fileAt(end - end % config.segmentBytes()))
                    + " was lost after it was synced, with every message in it. Restore the file from a copy if there"
                    + " is one, and check the disk.");
        }
    }

    private static void check(Done done) throws DiskFailed {
        if (done instanceof Done.Failed failed) {
            throw new DiskFailed(failed);
        }
    }
}
