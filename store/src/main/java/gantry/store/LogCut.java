package gantry.store;

import gantry.base.Notices;
import gantry.store.Checkpoint.Mark;
import gantry.store.Disk.Done;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Cuts back the log of a store that nobody has open.
///
/// ```
///   │ confirmed: the checkpoint │ stays │ cut ░░░░░░░░░░ │
///                               ▲       ▲ end
///                               lowest  └─▶ 1 kept aside, on disk  2 out of key index and seals  3 out of the log
/// ```
/// What is made from the log follows at the next `Store.open`, as after a loss of power. Whenever it is
/// interrupted, the log ends somewhere from `end` on, and everything below `end` is as it was: it is called again,
/// or the store is opened.
///
/// For:   taking back what was never confirmed, because the leader's log goes on in another way from there.
/// Owner: whoever owns the member; before `Store.open`. Blocks.
/// Never: cuts what is confirmed, or what is not kept aside.
/// Holds: CUT-1 nothing of the log is changed before all that is cut is on disk elsewhere.
public final class LogCut {
    /// What has become of it.
    public sealed interface Outcome {
        /// The log ends at or below the wanted place.
        ///
        /// @param end where it ends: below the wanted place only if it ended there before
        /// @param bytes how many were taken away; 0 when there was nothing to take away
        /// @param kept the path of the file that has them; empty when there was nothing
        record Cut(long end, long bytes, String kept) implements Outcome {}

        /// There is no room to keep aside what would be cut; nothing has changed. Later there may be.
        record NoRoom(String sentence) implements Outcome {}

        /// It must not be cut there; nothing has changed. Trying again does not help.
        record Refused(String sentence) implements Outcome {}
    }

    private static final int PIECE_BYTES = 1 << 20;
    private static final Notices NOBODY = (_, _) -> {};

    private final Disk disk;
    private final StoreConfig config;
    private final long end;
    private final Notices notices;
    private final long wallMillis;

    private LogCut(Disk disk, StoreConfig config, long end, Notices notices, long wallMillis) {
        this.disk = disk;
        this.config = config;
        this.end = end;
        this.notices = notices;
        this.wallMillis = wallMillis;
    }

    /// Takes everything from `end` on out of the log, and keeps it in a file of the folder `gantrycut`.
    ///
    /// @param end a place where a record, or the unused end of a file, begins; not below the checkpoint
    /// @throws OpenFailed when the store could not be opened either, or the disk fails
    public static Outcome at(Disk disk, StoreConfig config, long end, Notices notices, long wallMillis)
            throws OpenFailed {
        Disk.Lock lock = StoreAtRest.take(disk);
        try {
            StoreSwitch.finish(disk, notices);
            StoreConfig fitting = new SizesOnDisk(disk, NOBODY).fit(config);
            return new LogCut(disk, fitting, end, notices, wallMillis).run();
        } catch (DiskFailed e) {
            throw new OpenFailed(e);
        } finally {
            lock.close();
        }
    }

    private Outcome run() throws DiskFailed, OpenFailed {
        Checkpoint checkpoint = Checkpoint.load(disk, NOBODY);
        QueueEnds ends = checkpoint.foreign() ? null : QueueEnds.load(disk);
        Mark proven = further(checkpoint.mark(), ends == null ? null : ends.mark());
        if (proven == null) {
            return refused(disk.describe(Checkpoint.FILE) + " does not say how far it is confirmed");
        }
        if (end < proven.logOffset()) {
            return refused(disk.describe(Checkpoint.FILE) + " says that it is confirmed up to " + proven.logOffset());
        }
        DroppedTopic dropped = DroppedTopics.load(disk, NOBODY).droppedAbove(end);
        if (dropped != null) {
            return refused("the topic " + dropped.topic() + " was deleted when the log had been confirmed up to "
                    + dropped.logOffset());
        }
        boolean clean = disk.list("").stream().noneMatch(entry -> entry.name().equals(Store.ABORT.name()));
        List<Long> bases = new LogFiles(config, disk, notices, clean, proven.logOffset()).load();
        List<Segment> mapped = new ArrayList<>();
        try {
            for (long base : bases) {
                mapped.add(Segment.open(disk, base));
            }
            return bases.isEmpty()
                    ? new Outcome.Cut(0, 0, "")
                    : cut(new Segments(config.segmentBytes(), mapped), proven.logOffset(), checkpoint.index());
        } finally {
            mapped.forEach(Segment::end);
        }
    }

    private static @Nullable Mark further(@Nullable Mark one, @Nullable Mark other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return one.logOffset() >= other.logOffset() ? one : other;
    }

    private Outcome cut(Segments segments, long proven, @Nullable IndexMark index) throws DiskFailed, OpenFailed {
        long certain = new SealOpening(disk, NOBODY, config.segmentBytes()).certain(proven);
        LogScan scan = new LogScan(disk, segments, LogScan.Depth.WHOLE, LogScan.UNTOLD);
        long place = scan.run(Math.max(proven, segments.minOffset()), end, certain, _ -> {});
        if (place > end) {
            return refused("no message begins there: one ends at " + place);
        }
        long tail = place < end ? end : tailEnd(segments);
        if (tail == end) {
            return new Outcome.Cut(place, 0, "");
        }
        KeptTail kept = KeptTail.find(disk, segments, end, tail);
        if (kept == null) {
            long free = disk.space(KeptTail.FOLDER).freeBytes();
            if (free < tail - end) {
                return noRoom(tail, "; " + free + " are free");
            }
            try {
                kept = KeptTail.keep(disk, segments, end, tail, wallMillis);
            } catch (DiskFailed e) {
                if (e.failure().kind() == Done.Kind.FULL) {
                    return noRoom(tail, ": " + e.failure().sentence());
                }
                throw e;
            }
        }
        tell(kept, messages(segments, scan.lastMillis()));
        takeAway(segments, index);
        return new Outcome.Cut(end, kept.bytes(), disk.describe(kept.file()));
    }

    private void takeAway(Segments segments, @Nullable IndexMark index) throws DiskFailed {
        // A start that finds no such mark believes the end of the log that it was stopped with.
        check(new OpenMark(config.segmentBytes(), config.queueFileBytes()).leave(disk));
        IndexLayout layout =
                new IndexLayout(config.index().slots(), config.index().entries());
        new IndexCut(disk, layout, index, end).run();
        new Seals(disk, config.segmentBytes()).cut(segments.minOffset(), end);
        new TailCut(disk, Segments.FOLDER).run(segments, end, end);
        KeptTail.prune(disk);
    }

    /// Behind the last byte from `end` on that is not zero; `end` when there is none.
    private long tailEnd(Segments segments) throws DiskFailed {
        ByteBuffer piece = ByteBuffer.allocate(PIECE_BYTES);
        for (Segment segment : segments.all().reversed()) {
            long from = Math.max(end, segment.base());
            long to = segment.base() + config.segmentBytes();
            boolean begun = from < to && segment.bytes().getLong(0) != 0;
            for (long at = to; begun && at > from; at -= piece.limit()) {
                piece.clear().limit((int) Math.min(PIECE_BYTES, at - from));
                check(disk.read(segment.file(), at - piece.limit() - segment.base(), piece));
                for (int i = piece.position() - 1; i >= 0; i--) {
                    if (piece.get(i) != 0) {
                        return at - piece.limit() + i + 1;
                    }
                }
            }
        }
        return end;
    }

    private long messages(Segments segments, long lastMillis) throws DiskFailed, OpenFailed {
        LogScan tail = new LogScan(disk, segments, LogScan.Depth.PARTS, LogScan.UNTOLD).after(lastMillis);
        tail.run(end, Long.MAX_VALUE, end, _ -> {});
        return tail.recordCount();
    }

    private void tell(KeptTail kept, long messages) {
        notices.warn("The commit log is cut back to " + end + ": " + messages
                + " messages behind it were never confirmed, and the leader of the group does not have them. They are kept in "
                + disk.describe(kept.file()) + " (" + kept.bytes()
                + " bytes, as they stood in the log). Whoever sent them"
                + " got no answer that they are stored; look whether any is missed and send it again, then delete the"
                + " file. The newest " + KeptTail.MOST_KEPT + " such files are kept.");
    }

    private Outcome refused(String why) {
        return new Outcome.Refused("The commit log in " + disk.describe(new FileId(Segments.FOLDER))
                + " cannot be cut back to " + end + ": " + why + ". Nothing was changed. If this member must follow a"
                + " leader that does not have these messages, it needs a copy of the leader's whole log.");
    }

    private Outcome noRoom(long tail, String detail) {
        return new Outcome.NoRoom("The commit log is not cut back to " + end + ", because what is cut would be kept in "
                + disk.describe(new FileId(KeptTail.FOLDER)) + ", which needs " + (tail - end) + " bytes" + detail
                + ". Nothing was changed. Make room on that file system, or delete older files in that folder; it is"
                + " tried again.");
    }

    private static void check(Done done) throws DiskFailed {
        if (done instanceof Done.Failed failed) {
            throw new DiskFailed(failed);
        }
    }
}
