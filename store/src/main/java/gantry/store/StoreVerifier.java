package gantry.store;

import gantry.store.Checkpoint.Mark;
import gantry.store.Disk.FileEntry;
import gantry.wire.json.Json;
import gantry.wire.json.JsonFault;
import gantry.wire.message.RecordView;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Looks at every byte of a store that nobody has open.
///
/// ```
///   names and lengths ─▶ checkpoint ─▶ the log, record by record ─┬▶ config ─▶ report
///                                        each queue's entries  ───┘
/// ```
/// For:   `gantry verify`: what is there, what is wrong, with file and byte.
/// Owner: one caller; blocks.
/// Never: changes anything, unless it is asked to repair; and then only what the log tells (see `StoreRepair`).
public final class StoreVerifier {
    /// Told now and then how far the check has come.
    public interface Progress {
        void reached(long doneBytes, long totalBytes);
    }

    /// All queues together hold so many entries in memory.
    private static final int BLOCKS_BYTES = 32 << 20;

    private static final long PROGRESS_BYTES = 1 << 20;

    /// What a repair may do beyond making derived files again.
    public enum Repair {
        DERIVED_FILES,
        /// Also drop the seals of blocks that have changed, so that what stands there now counts as right.
        DERIVED_FILES_AND_SEALS
    }

    private final Disk disk;
    private final EntryRule rule;
    private final Progress progress;
    private final Findings findings;
    private final Map<StoreShape.QueueKey, QueueCheck> queues = new LinkedHashMap<>();
    private final DroppedTopics dropped;
    private boolean clean;
    private boolean checkpointBroken;
    private boolean marked;

    /// The entries of all messages below it must be on disk.
    private long entriesCertain;

    /// No crash explains damage below it.
    private long logCertain;

    private @Nullable Damage tail;
    private long behindTail;
    private long lastMillis;
    private long logEnd;
    private boolean logDamaged;
    private @Nullable SealVerify seals;
    private List<Damage> damagedInFile = List.of();
    private long reported;

    private StoreVerifier(Disk disk, EntryRule rule, Progress progress) throws DiskFailed {
        this.disk = disk;
        this.rule = rule;
        this.progress = progress;
        this.findings = new Findings(disk);
        this.dropped = DroppedTopics.load(disk, (_, text) -> findings.bad(DroppedTopics.FILE, -1, text));
    }

    /// Looks, and changes nothing.
    ///
    /// @param rule what the entry of a record should say
    /// @throws OpenFailed with a sentence when the store cannot be looked at: it is in use, or is no store
    public static VerifyReport look(Disk disk, EntryRule rule, Progress progress) throws OpenFailed {
        return run(disk, rule, progress, null);
    }

    /// Looks, rebuilds what the log tells, and looks again.
    public static VerifyReport repair(Disk disk, EntryRule rule, Progress progress, Repair repair) throws OpenFailed {
        return run(disk, rule, progress, repair);
    }

    private static VerifyReport run(Disk disk, EntryRule rule, Progress progress, @Nullable Repair repair)
            throws OpenFailed {
        Disk.Lock lock = take(disk);
        try {
            if (StoreSwitch.read(disk) != null) {
                throw new OpenFailed(
                        disk.describe(StoreSwitch.FILE) + " says that a copy of the leader's log was taking"
                                + " the store's place when the broker ended. Start the broker once: it brings that to its end.");
            }
            StoreVerifier first = new StoreVerifier(disk, rule, progress);
            StoreShape shape = first.look();
            VerifyReport report = first.findings.report();
            List<StoreShape.QueueKey> broken = first.brokenQueues();
            boolean derived = !broken.isEmpty() || first.checkpointBroken;
            SealVerify seals = repair == Repair.DERIVED_FILES_AND_SEALS ? first.seals : null;
            boolean changed = seals != null && seals.hasChanged();
            if (repair == null || !(derived || changed)) {
                return report;
            }
            if (shape.hasGap()) {
                return report.with(List.of("nothing, because files of the log are missing: restore them first"));
            }
            List<String> deeds = new ArrayList<>(seals == null ? List.of() : seals.drop());
            if (derived) {
                deeds.addAll(
                        new StoreRepair(disk, rule, shape, first.dropped, first.logEnd, first.lastMillis).run(broken));
            }
            StoreVerifier second = new StoreVerifier(disk, rule, progress);
            second.look();
            return second.findings.report().with(deeds);
        } catch (DiskFailed e) {
            throw new OpenFailed(e);
        } finally {
            lock.close();
        }
    }

    private static Disk.Lock take(Disk disk) throws OpenFailed {
        try {
            Optional<Disk.Lock> lock = disk.lock();
            if (lock.isEmpty()) {
                throw new OpenFailed(disk.describe(new FileId("lock"))
                        + " is held by another process: the store is in use. Stop that broker first.");
            }
            return lock.get();
        } catch (DiskFailed e) {
            throw new OpenFailed(e);
        }
    }

    private List<StoreShape.QueueKey> brokenQueues() {
        List<StoreShape.QueueKey> broken = new ArrayList<>();
        queues.forEach((key, check) -> {
            if (check.isBroken()) {
                broken.add(key);
            }
        });
        return broken;
    }

    private StoreShape look() throws DiskFailed, OpenFailed {
        StoreShape shape = StoreShape.of(disk, findings);
        clean = disk.list("").stream().noneMatch(entry -> entry.name().equals(Store.ABORT.name()));
        Mark mark = lookAtCheckpoint();
        marked = mark != null;
        entriesCertain = clean ? Long.MAX_VALUE : mark == null ? 0 : mark.logOffset();
        SealVerify sealed = new SealVerify(disk, findings, shape.segmentBytes());
        seals = sealed;
        logCertain =
                clean || mark == null ? Long.MAX_VALUE : Math.max(mark.logOffset(), sealed.sealedEnd(mark.logOffset()));
        if (marked) {
            shape.dropLeftovers(dropped, findings);
        }
        shape.queues().forEach((key, files) -> check(shape, key).shape(files, clean));
        lookAtLog(shape, sealed);
        sealed.finish(shape.logBases().getFirst(), logEnd, mark == null);
        if (mark != null && mark.logOffset() > logEnd) {
            findings.bad(
                    Checkpoint.FILE,
                    72,
                    "says that the log reaches to " + mark.logOffset() + ", but its messages end at " + logEnd
                            + ": the end of the log was lost");
        }
        queues.forEach(
                (key, check) -> check.finish(clean, logDamaged, shape.queues().getOrDefault(key, List.of())));
        lookAtOthers();
        return shape;
    }

    private QueueCheck check(StoreShape shape, StoreShape.QueueKey key) {
        QueueCheck there = queues.get(key);
        if (there == null) {
            int share = BLOCKS_BYTES
                    / EntryChunk.ENTRY_BYTES
                    / Math.max(1, shape.queues().size());
            long minLogOffset = shape.logBases().getFirst();
            int block = Math.clamp(share, 8, 512);
            there = new QueueCheck(disk, key, shape.queueFileBytes(), rule, findings, minLogOffset, block);
            queues.put(key, there);
        }
        return there;
    }

    private @Nullable Mark lookAtCheckpoint() throws DiskFailed {
        byte[] content = Export.readOnly(disk, Checkpoint.FILE);
        String wrong = content == null ? "is missing" : Checkpoint.wrongWith(content);
        if (wrong != null) {
            checkpointBroken = true;
            findings.bad(
                    Checkpoint.FILE,
                    content == null ? -1 : 0,
                    wrong + "; the next start looks through the whole" + " log");
            findings.line("checkpoint", Checkpoint.FILE, content == null ? 0 : content.length, -1, -1, 0, wrong);
            return null;
        }
        Mark mark = Checkpoint.load(disk, (_, _) -> {}).mark();
        long length = content == null ? 0 : content.length;
        if (mark == null) {
            findings.line("checkpoint", Checkpoint.FILE, length, -1, -1, 0, "RocketMQ's: times only");
        } else {
            findings.line("checkpoint", Checkpoint.FILE, length, 0, mark.logOffset(), mark.entryCount(), "ok");
        }
        if (!clean) {
            findings.note(
                    Store.ABORT,
                    -1,
                    "the store was not stopped cleanly: the next start looks through the log from "
                            + (mark == null ? "an earlier file" : String.valueOf(mark.logOffset())) + " on");
        }
        return mark;
    }

    private void lookAtLog(StoreShape shape, SealVerify sealed) throws DiskFailed {
        List<Long> bases = shape.logBases();
        long begun = lastBegun(bases);
        logEnd = bases.getFirst();
        long done = 0;
        for (long base : bases) {
            if (base > begun) {
                findings.line("log", Segments.fileAt(base), shape.segmentBytes(), base, base, 0, "not begun");
            } else {
                damagedInFile = new ArrayList<>();
                lookAtSegment(shape, base, base == begun, done);
                sealed.file(base, base == begun ? logEnd : base + shape.segmentBytes(), damagedInFile);
            }
            done += shape.segmentBytes();
        }
        progress.reached(shape.totalBytes(), shape.totalBytes());
    }

    private long lastBegun(List<Long> bases) throws DiskFailed {
        for (int i = bases.size() - 1; i > 0; i--) {
            SegmentWalk walk =
                    new SegmentWalk(disk, Segments.fileAt(bases.get(i)), bases.get(i), Long.BYTES * 2, false);
            if (!walk.isZeroAt(0)) {
                return bases.get(i);
            }
        }
        return bases.getFirst();
    }

    private void lookAtSegment(StoreShape shape, long base, boolean last, long before) throws DiskFailed {
        FileId file = Segments.fileAt(base);
        SegmentWalk walk = new SegmentWalk(disk, file, base, shape.segmentBytes(), !clean).from(0, lastMillis);
        long count = 0;
        long bad = 0;
        SegmentWalk.Step step = walk.next();
        while (step != SegmentWalk.Step.END) {
            if (step == SegmentWalk.Step.DAMAGE) {
                bad++;
                damaged(base, walk.damage(), last && walk.isAtEnd());
            } else if (tail == null) {
                count++;
                record(shape, walk);
                logEnd = walk.logOffset() + walk.view().size();
            } else {
                behindTail++;
            }
            report(before + walk.place(), shape.totalBytes());
            step = walk.next();
        }
        if (!last && walk.place() < shape.segmentBytes()) {
            bad++;
            logDamaged = true;
            findings.bad(file, walk.place(), "the file should be full, but there is nothing from here on");
        }
        if (last && tail != null) {
            findings.add(
                    behindTail == 0,
                    tail.file(),
                    tail.from(),
                    "the next start cuts the log off here"
                            + (behindTail == 0
                                    ? ""
                                    : ", and with it " + behindTail + " whole messages that stand behind: copy"
                                            + " the file first if they matter"));
        }
        lastMillis = walk.lastMillis();
        findings.line(
                "log",
                file,
                shape.segmentBytes(),
                base,
                last ? logEnd : base + shape.segmentBytes(),
                count,
                bad == 0 ? "ok" : bad + " bad places");
    }

    /// A bad place below what was certain is damage; above it a crash explains it.
    private void damaged(long base, Damage damage, boolean nothingBehind) {
        boolean isTail = !clean && (base + damage.from() >= logCertain || (!marked && nothingBehind));
        String what = "there is " + damage.what() + " up to byte " + damage.to()
                + (damage.message() == null ? "" : "; it says that it is " + damage.message());
        findings.add(isTail, damage.file(), damage.from(), what);
        damagedInFile.add(damage);
        if (!isTail) {
            logDamaged = true;
        } else if (tail == null) {
            tail = damage;
        }
    }

    private void record(StoreShape shape, SegmentWalk walk) {
        RecordView view = walk.view();
        if (Redispatch.hasEntry(view) && !dropped.covers(view.topic(), view.logOffset())) {
            check(shape, new StoreShape.QueueKey(view.topic(), view.queueId()))
                    .record(view, walk.logOffset() < entriesCertain, logDamaged);
        }
    }

    private void report(long done, long total) {
        if (done - reported >= PROGRESS_BYTES) {
            reported = done;
            progress.reached(done, total);
        }
    }

    private void lookAtOthers() throws DiskFailed {
        for (FileEntry entry : disk.list("config")) {
            FileId file = new FileId("config/" + entry.name());
            if (entry.folder()
                    || !(entry.name().endsWith(".json") || entry.name().endsWith(".json.bak"))) {
                continue;
            }
            String wrong = wrongWithJson(file);
            if (wrong != null) {
                findings.bad(file, -1, wrong);
            }
            findings.line("config", file, entry.bytes(), -1, -1, 0, wrong == null ? "ok" : "cannot be read");
        }
        for (FileEntry entry : disk.list("index")) {
            if (!entry.folder()) {
                findings.line("index", new FileId("index/" + entry.name()), entry.bytes(), -1, -1, 0, "not looked at");
            }
        }
    }

    private @Nullable String wrongWithJson(FileId file) {
        try {
            byte[] content = Export.readOnly(disk, file);
            if (content == null || content.length == 0) {
                return "is empty";
            }
            Json.read(content);
            return null;
        } catch (JsonFault e) {
            return "is no JSON: " + e.sentence();
        } catch (DiskFailed e) {
            return e.failure().sentence();
        }
    }
}
