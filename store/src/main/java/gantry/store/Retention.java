package gantry.store;

import gantry.base.Clock;
import gantry.base.Image;
import gantry.base.Invariant;
import gantry.base.Lease;
import gantry.base.Notices;
import gantry.base.Offload;
import gantry.base.Sequencer;
import gantry.store.Disk.Done;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Watches the room on the disk, and lets the head of the log go.
///
/// ```
///   tick, every INTERVAL ─▶ outside: room, files that may go, verdict ─▶ inside: they leave `Segments`
///        ─▶ outside: each file deleted for certain before the next ─▶ inside: queues begin later
///        ─▶ outside: queue files that point nowhere are deleted ─▶ idle
/// ```
/// For:   noticing files that somebody else takes away; deleting before sends have to be refused, refusing before the
/// disk is full, and taking it back by
///        itself.
/// Owner: the log sequencer; the work of a round runs outside and comes back.
/// Never: the newest file; a file somebody reads stays mapped until he is done.
/// Holds: RETAIN-1 nothing goes that the next start needs: neither the log above the checkpoint, nor a record
///        above a hold, as the broker's own facts that no snapshot has.
final class Retention {
    /// Every wait for the disk in here.
    static final Duration LONGEST_SYNC = Duration.ofMinutes(10);

    private static final long INTERVAL_NANOS = 2_000_000_000L;

    /// Records from here on are needed.
    private record Hold(ConsumeQueue queue, LongSupplier neededFrom) {}

    /// What a round has found out.
    ///
    /// @param taken a file of the log that is not there any more, though we did not delete it
    private record Found(
            Disk.Space space,
            RetentionRule.Verdict verdict,
            @Nullable FileId taken) {}

    private final long segmentBytes;
    private RetentionRule rule;
    private final Disk disk;
    private final Clock clock;
    private final Offload offload;
    private final Sequencer sequencer;
    private final Lease session;
    private final SegmentShelf shelf;
    private final Queues queues;
    private final QueueRetention ofQueues;
    private final Troubles troubles;
    private final Notices notices;
    private final Consumer<String> fence;
    private final Complaint complaint;
    private final List<Hold> holds = new ArrayList<>();
    private List<Segment> leaving = new ArrayList<>();
    private boolean underWay;
    private boolean everRan;
    private boolean ended;
    private long roundNanos;
    private long sampledAt;
    private long refusedFrom = Long.MAX_VALUE;
    private String room = "";
    private final Image<Disk.Space> seen = new Image<>(new Disk.Space(0, 0));

    /// @param fence is told when a file of the log was taken away
    Retention(
            StoreConfig store,
            Disk disk,
            Clock clock,
            Offload offload,
            Sequencer sequencer,
            Lease session,
            SegmentShelf shelf,
            Queues queues,
            Troubles troubles,
            Notices notices,
            Consumer<String> fence) {
        this.segmentBytes = store.segmentBytes();
        this.rule = new RetentionRule(store.retention(), segmentBytes);
        this.disk = disk;
        this.clock = clock;
        this.offload = offload;
        this.sequencer = sequencer;
        this.session = session;
        this.shelf = shelf;
        this.queues = queues;
        this.ofQueues = new QueueRetention(disk);
        this.troubles = troubles;
        this.notices = notices;
        this.fence = fence;
        this.complaint = new Complaint(notices);
    }

    /// Records of this queue from `neededFrom` on stay.
    void hold(ConsumeQueue queue, LongSupplier neededFrom) {
        sequencer.requireInside();
        holds.add(new Hold(queue, neededFrom));
    }

    /// From the next round on other limits hold.
    void obey(RetentionConfig next) {
        sequencer.requireInside();
        rule = new RetentionRule(next, segmentBytes);
        everRan = false;
    }

    /// Nothing is deleted any more.
    void end() {
        ended = true;
    }

    /// The log's end from which sends are refused, until there is more room.
    long refusedFrom() {
        return refusedFrom;
    }

    /// What the last round found; nothing before the first.
    Disk.Space space() {
        return seen.read();
    }

    /// Why sends are refused: path, bytes, and the limit.
    String room() {
        return room;
    }

    /// @param mark everything below it is visible in its queue
    /// @param checkpointed the next start needs the log from here on
    void tick(long nowNanos, long logEnd, Checkpoint.Mark mark, long checkpointed) {
        boolean tight = refusedFrom != Long.MAX_VALUE && logEnd - sampledAt > (refusedFrom - sampledAt) / 2;
        long waited = nowNanos - roundNanos;
        if (underWay || (everRan && waited < (tight ? INTERVAL_NANOS / 4 : INTERVAL_NANOS))) {
            return;
        }
        underWay = true;
        everRan = true;
        roundNanos = nowNanos;
        long needed = Math.min(mark.logOffset(), checkpointed);
        List<Hold> held = List.copyOf(holds);
        Segments segments = shelf.read();
        long wallMillis = clock.wallMillis();
        RetentionRule judge = rule;
        outside(() -> {
            Found found = look(judge, segments, held, needed, wallMillis);
            sequencer.submitAlways(() -> decided(found, logEnd));
        });
    }

    /// A closed store needs no more rounds.
    private void outside(Runnable work) {
        offload.run(() -> {
            if (session.take()) {
                try {
                    work.run();
                } finally {
                    session.giveBack();
                }
            }
        });
    }

    private @Nullable Found look(
            RetentionRule judge, Segments segments, List<Hold> held, long needed, long wallMillis) {
        Disk.Space space;
        FileId taken;
        try {
            space = disk.space(Segments.FOLDER);
            taken = taken(segments);
        } catch (DiskFailed e) {
            return null;
        }
        long keptFrom = needed;
        for (Hold hold : held) {
            keptFrom = Math.min(keptFrom, firstNeeded(hold, keptFrom));
        }
        List<Segment> all = segments.all();
        List<RetentionRule.Old> old = new ArrayList<>();
        for (int i = 0; i + 1 < all.size() && old.size() < RetentionRule.MOST_PER_ROUND; i++) {
            if (all.get(i + 1).base() > keptFrom) {
                break;
            }
            old.add(new RetentionRule.Old(all.get(i).base(), begun(all.get(i + 1))));
        }
        return new Found(space, judge.judge(old, all.size(), space, wallMillis), taken);
    }

    /// A deleted file takes writes for as long as it is open, and nobody would be told.
    private @Nullable FileId taken(Segments segments) throws DiskFailed {
        Set<String> there = new HashSet<>();
        disk.list(Segments.FOLDER).forEach(file -> there.add(Segments.FOLDER + "/" + file.name()));
        for (Segment segment : segments.all()) {
            if (!there.contains(segment.file().path())) {
                return segment.file();
            }
        }
        return null;
    }

    /// @param keptFrom everything below it was visible before the hold is looked at
    private long firstNeeded(Hold hold, long keptFrom) {
        long offset = Math.max(hold.neededFrom().getAsLong(), hold.queue().minOffset());
        long max = hold.queue().maxOffset();
        if (offset >= max) {
            return keptFrom;
        }
        if (hold.queue().missing().covers(offset)) {
            return 0;
        }
        Entries entries = new Entries(disk, hold.queue(), 1);
        return entries.moveTo(offset, max) ? entries.logOffset() : 0;
    }

    /// When the first record of a file was stored; storeMillis never goes back, so nothing before it is younger.
    private static long begun(Segment segment) {
        if (!segment.take()) {
            return Long.MAX_VALUE;
        }
        try {
            boolean there =
                    StoredRecord.isAt(segment.bytes(), 0, segment.bytes().getInt(0), segment.base());
            return there ? StoredRecord.storeMillis(segment.bytes(), 0) : Long.MAX_VALUE;
        } catch (InternalError e) {
            // The disk cannot read it: it goes when a younger file may.
            return Long.MAX_VALUE;
        } finally {
            segment.giveBack();
        }
    }

    private void decided(@Nullable Found found, long logEnd) {
        if (found == null || ended) {
            underWay = false;
            return;
        }
        if (found.taken() != null) {
            underWay = false;
            fence.accept(disk.describe(found.taken())
                    + " is not there any more: somebody has deleted or moved it while it is in use. Its messages can"
                    + " be read until this process ends; nothing is accepted any more. Bring the file back before you"
                    + " stop (Linux has a deleted one under /proc/PID/fd of this process), then restart.");
            return;
        }
        Disk.Space space = found.space();
        seen.publish(space);
        sampledAt = logEnd;
        refusedFrom = logEnd + Math.min(rule.roomBytes(space), Long.MAX_VALUE - logEnd);
        room = disk.describe(new FileId(Segments.FOLDER)) + ": the disk is full: " + space.freeBytes() + " of "
                + space.totalBytes() + " bytes are free, and " + rule.limit(space);
        int count = found.verdict().count();
        if (count > 0) {
            Invariant.check(count < shelf.read().all().size(), "RETAIN-1 the newest file of the log is never deleted");
            leaving.addAll(shelf.dropHead(count));
            notices.info("Retention lets " + count + " files of the commit log go, up to logOffset "
                    + shelf.read().minOffset() + ", because "
                    + found.verdict().reason() + ".");
        }
        if (leaving.isEmpty()) {
            underWay = false;
            return;
        }
        List<Segment> files = leaving;
        leaving = new ArrayList<>();
        // Those that are being made again begin where the log does, once they are.
        List<ConsumeQueue> all =
                queues.all().stream().filter(queue -> !queue.isBeingRebuilt()).toList();
        long logMin = shelf.read().minOffset();
        outside(() -> {
            List<Segment> left = deleteAll(files);
            Map<ConsumeQueue, Long> raised = ofQueues.minimums(all, logMin);
            sequencer.submitAlways(() -> raise(left, raised));
        });
    }

    /// Oldest first, and each for certain before the next: a crash must not leave a gap.
    ///
    /// @return those that could not be deleted
    private List<Segment> deleteAll(List<Segment> files) {
        List<Segment> left = new ArrayList<>(files);
        while (!left.isEmpty()) {
            Segment oldest = left.getFirst();
            oldest.end();
            Done done = disk.delete(oldest.file());
            done = done.isOk() ? disk.syncFolder(Segments.FOLDER) : done;
            if (!done.isOk()) {
                report(done);
                return left;
            }
            left.removeFirst();
        }
        return left;
    }

    private void report(Done done) {
        sequencer.submitAlways(() -> {
            String sentence = done instanceof Done.Failed failed
                    ? "Old files cannot be deleted, and it is tried again: " + failed.sentence()
                    : null;
            troubles.set(Trouble.Kind.DELETING_FAILS, sentence);
            if (sentence != null) {
                complaint.alarm(sentence, clock.nanos());
            }
        });
    }

    private void raise(List<Segment> left, Map<ConsumeQueue, Long> raised) {
        leaving.addAll(left);
        Map<ConsumeQueue, Long> before = new LinkedHashMap<>();
        raised.forEach((queue, min) -> {
            if (min > queue.headOffset()) {
                before.put(queue, queue.headOffset());
                queue.startAt(min);
            }
        });
        outside(() -> {
            Done.Failed failed = ofQueues.deleteFiles(before);
            if (failed != null || left.isEmpty()) {
                report(failed == null ? Done.Ok.NOTHING : failed);
            }
            sequencer.submitAlways(() -> underWay = false);
        });
    }
}
