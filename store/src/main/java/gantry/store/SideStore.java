package gantry.store;

import gantry.base.Image;
import gantry.base.Notices;
import gantry.store.Checkpoint.Mark;
import gantry.store.Disk.Done;
import gantry.store.StoreShape.QueueKey;
import gantry.wire.message.RecordView;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A copy of another member's whole log and state, beside this member's store.
///
/// ```
///   begin ─▶ part, part … ─▶ append, append … ─▶ sync now and then ─▶ switchOver, with the store closed ─▶ Store.open
///              └── find, after the process has ended ──┘
/// ```
/// For:   a member that cannot go on from its own log.
/// Owner: whoever owns the member; one call at a time, on a thread that may wait for the disk, but for a sync of what
///        is `unsynced`. The store may be open meanwhile, but for `switchOver`.
/// Never: changes anything of the store before `switchOver`; takes a record that was not checked whole.
/// Holds: SIDE-1 what `find` says to be there is on disk, and ends with a whole record. After a sync that failed it
///        finds nothing: the kernel may show what it has dropped.
public final class SideStore {
    /// How long one sync may take.
    private static final Duration LONGEST_SYNC = Duration.ofMinutes(10);

    /// As a leader sends at most.
    private static final int MOST_BYTES = LogReading.MOST_BYTES;

    private static final Pattern PART = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}");
    private static final Notices NOBODY = (_, _) -> {};

    private final Disk disk;
    private final StoreConfig config;
    private SidePlan plan;
    private final RecordCheck check;
    private final SideLog log;
    private final Set<FileId> unsynced = new LinkedHashSet<>();
    private boolean hasSnapshot;
    private @Nullable SideQueues queues;
    private long end;
    private long lastMillis;
    private @Nullable Refusal broken;

    /// Told by whoever runs a sync, and for good.
    private final Image<Optional<Done.Failed>> failedSync = new Image<>(Optional.empty());

    private SideStore(Disk disk, StoreConfig config, SidePlan plan) {
        this.disk = disk;
        this.config = config;
        this.plan = plan;
        this.check = new RecordCheck(config);
        this.log = new SideLog(disk, config.segmentBytes(), plan.begin());
        this.end = plan.begin();
    }

    /// Begins a copy; one that was there before is thrown away.
    ///
    /// @param begin the leader's first log offset, where a file begins
    /// @param snapshotOffset the copied state will be that of the log up to here
    /// @param owners is kept on disk with the copy, before anything of it; see `plan`
    /// @throws OpenFailed with a sentence for the operator
    public static SideStore begin(Disk disk, StoreConfig config, long begin, long snapshotOffset, byte[] owners)
            throws OpenFailed {
        try {
            StoreConfig fitting = new SizesOnDisk(disk, NOBODY).fit(config);
            if (begin % fitting.segmentBytes() != 0 || snapshotOffset < begin) {
                throw new OpenFailed(
                        "The leader's log begins at " + begin + ", and its state is that of " + snapshotOffset
                                + ": the first must be a multiple of " + fitting.segmentBytes()
                                + " (mappedFileSizeCommitLog) and not above the second. Are the members' commit-log files of one"
                                + " size?");
            }
            discard(disk);
            SidePlan plan = new SidePlan(begin, snapshotOffset, owners.clone());
            SideFiles.check(Export.overwrite(disk, SideFiles.PLAN, plan.encode()));
            return new SideStore(disk, fitting, plan);
        } catch (DiskFailed e) {
            throw new OpenFailed(e);
        }
    }

    /// What there is of a copy.
    ///
    /// @return null when there is none, nothing that could be gone on with, or when it is the store's log already
    public static @Nullable SideStore find(Disk disk, StoreConfig config) throws OpenFailed {
        try {
            SidePlan plan = SidePlan.load(disk);
            if (plan == null || StoreSwitch.read(disk) != null) {
                return null;
            }
            SideStore found = new SideStore(disk, new SizesOnDisk(disk, NOBODY).fit(config), plan);
            return found.recover() ? found : null;
        } catch (DiskFailed e) {
            throw new OpenFailed(e);
        }
    }

    /// Ends a switch that was interrupted, if there is one, for who reads files of the store before it is opened.
    public static void settle(Disk disk, Notices notices) throws OpenFailed {
        try {
            if (StoreSwitch.read(disk) == null) {
                return;
            }
            Disk.Lock lock = StoreAtRest.take(disk);
            try {
                StoreSwitch.finish(disk, notices);
            } finally {
                lock.close();
            }
        } catch (DiskFailed e) {
            throw new OpenFailed(e);
        }
    }

    /// Throws a copy away, if there is one.
    public static void discard(Disk disk) throws OpenFailed {
        try {
            if (StoreSwitch.read(disk) != null) {
                throw new OpenFailed("The copy in " + disk.describe(new FileId(SideFiles.FOLDER))
                        + " is about to take the store's place: open the store first.");
            }
            SideFiles.discard(disk);
        } catch (DiskFailed e) {
            throw new OpenFailed(e);
        }
    }

    /// Whether there is room for so many bytes more, and for what the broker needs besides. For want of it logs
    /// that were replaced by earlier copies are deleted, but for those that are kept for an operator.
    public static Room room(Disk disk, StoreConfig config, long bytes, Notices notices) throws OpenFailed {
        try {
            long needed = bytes + config.retention().reserveBytes();
            long free = disk.space(Segments.FOLDER).freeBytes();
            if (free < needed && StoreSwitch.deleteReplaced(disk, notices)) {
                free = disk.space(Segments.FOLDER).freeBytes();
            }
            return new Room(needed, free, disk.describe(new FileId(SideFiles.LOG_FOLDER)));
        } catch (DiskFailed e) {
            throw new OpenFailed(e);
        }
    }

    /// @param folder where it would be needed
    public record Room(long neededBytes, long freeBytes, String folder) {
        public boolean isEnough() {
            return freeBytes >= neededBytes;
        }

        public String sentence() {
            return "A copy of the leader's log needs " + neededBytes + " bytes in " + folder + ", and " + freeBytes
                    + " are free. Make room on that file system: delete what is kept of earlier logs (folders kept-…),"
                    + " or take a larger disk.";
        }
    }

    /// From now on the owner's bytes are these.
    public Done replan(byte[] owners) {
        plan = new SidePlan(plan.begin(), plan.snapshotOffset(), owners.clone());
        return Export.overwrite(disk, SideFiles.PLAN, plan.encode());
    }

    /// What the owner has given, to `begin` or later.
    public byte[] plan() {
        return plan.owners().clone();
    }

    /// Whether the parts are all there: they are if any of the log is. Else they are sent anew, each from 0 on.
    public boolean hasSnapshot() {
        return hasSnapshot;
    }

    /// The log offset at which the copied log ends.
    public long end() {
        return end;
    }

    /// Takes bytes of a part: `checkpoint.queues` and `droppedtopics` as `Store.copyParts` gave them, any other is a
    /// file of `config`. An empty part is given once, too. All parts come before the log.
    public Done part(String name, long offset, ByteBuffer bytes) {
        if (!PART.matcher(name).matches()) {
            return new Done.Failed(
                    Done.Kind.IO,
                    "a part of a copy cannot have the name \"" + name.replaceAll("[^ -~]", "?")
                            + "\": letters, digits and .-_ are allowed");
        }
        Optional<Done.Failed> failed = failedSync.read();
        if (failed.isPresent()) {
            return failed.get();
        }
        FileId file = partFile(name);
        unsynced.add(file);
        Done done = disk.create(file, offset + bytes.remaining());
        return done.isOk() ? disk.write(file, offset, bytes) : done;
    }

    private static FileId partFile(String name) {
        if (name.equals(QueueEnds.FILE.path())) {
            return SideFiles.QUEUES;
        }
        return SideFiles.in(
                SideFiles.ROOT,
                name.equals(DroppedTopics.FILE.path()) ? DroppedTopics.FILE : new FileId("config/" + name));
    }

    /// Takes what the leader's `MemberLog.read` gave. Each record is checked whole before anything is written;
    /// what comes before the first that is not right is taken, and nothing from there on. After a refusal nothing
    /// more is taken; `find` tells what there is.
    ///
    /// @param logOffset where the copied log ends
    public Copied append(long logOffset, ByteBuffer bytes) {
        Optional<Done.Failed> notSynced = failedSync.read();
        if (notSynced.isPresent() && broken == null) {
            broken = refusal(notSynced.get());
        }
        if (broken != null) {
            return new Copied(end, null, broken);
        }
        if (logOffset != end || bytes.remaining() > MOST_BYTES) {
            return new Copied(
                    end,
                    bytes.remaining() + " bytes for " + logOffset + ", where the copied log ends at " + end
                            + " and takes " + MOST_BYTES + " bytes at once",
                    null);
        }
        Done.Failed failed = null;
        int at = bytes.position();
        int from = at;
        long place = end;
        long written = end;
        while (at < bytes.limit() && failed == null) {
            int size = check.check(bytes, at, place, lastMillis);
            if (size < 0) {
                break;
            }
            boolean blank = check.isBlank();
            if (!blank) {
                lastMillis = check.view().storeMillis();
                queues().add(check.view());
            }
            at += size;
            place += size;
            if (blank) {
                // The rest of the file is zero.
                failed = write(bytes, from, at - size + LogTail.BLANK_BYTES, written);
                from = at;
                written = place;
            }
        }
        failed = failed == null && from < at ? write(bytes, from, at, written) : failed;
        if (failed != null) {
            broken = refusal(failed);
            return new Copied(end, null, broken);
        }
        end = place;
        hasSnapshot |= end > plan.begin();
        return new Copied(end, at < bytes.limit() ? check.fault() : null, null);
    }

    private static Refusal refusal(Done.Failed failed) {
        return new Refusal(
                failed.kind() == Done.Kind.FULL ? Refusal.Kind.DISK_FULL : Refusal.Kind.FENCED,
                "the copy of the leader's log could not be written: " + failed.sentence());
    }

    private Done.@Nullable Failed write(ByteBuffer bytes, int from, int to, long logOffset) {
        ByteBuffer run = bytes.slice(from, to - from);
        return log.write(logOffset, run, unsynced) instanceof Done.Failed failed ? failed : null;
    }

    /// The parts are there by the time the first record comes.
    private SideQueues queues() {
        SideQueues known = queues;
        if (known == null) {
            known = new SideQueues(dropped(), null);
            queues = known;
        }
        return known;
    }

    private DroppedTopics dropped() {
        try {
            return DroppedTopics.load(disk, SideFiles.in(SideFiles.ROOT, DroppedTopics.FILE), NOBODY);
        } catch (DiskFailed e) {
            broken = new Refusal(Refusal.Kind.FENCED, e.failure().sentence());
            return new DroppedTopics();
        }
    }

    /// Makes everything durable that was taken; a copy that is found later reaches to here at least.
    public Done sync() {
        return unsynced().sync();
    }

    /// What was taken and is not durable yet. Its sync may run while more is taken, one at a time. After one that
    /// failed nothing more is taken or synced, and the copy has to begin anew.
    public Unsynced unsynced() {
        Set<String> folders = new LinkedHashSet<>(Set.of(SideFiles.FOLDER));
        unsynced.forEach(file -> folders.add(file.folder()));
        byte[] held = end > plan.begin() ? queues().encode(end, lastMillis) : null;
        Unsynced now = new Unsynced(disk, Set.copyOf(unsynced), folders, held, failedSync);
        unsynced.clear();
        return now;
    }

    /// A part of a copy that is written, and not durable yet.
    public static final class Unsynced {
        private final Disk disk;
        private final Set<FileId> files;
        private final Set<String> folders;
        private final byte @Nullable [] held;
        private final Image<Optional<Done.Failed>> failedSync;

        private Unsynced(
                Disk disk,
                Set<FileId> files,
                Set<String> folders,
                byte @Nullable [] held,
                Image<Optional<Done.Failed>> failedSync) {
            this.disk = disk;
            this.files = files;
            this.folders = folders;
            this.held = held;
            this.failedSync = failedSync;
        }

        public Done sync() {
            Optional<Done.Failed> before = failedSync.read();
            if (before.isPresent()) {
                return before.get();
            }
            Done done = disk.syncAll(files, folders, LONGEST_SYNC);
            if (done.isOk() && held != null) {
                done = Export.overwrite(disk, SideFiles.HELD, held);
            }
            if (done instanceof Done.Failed failed) {
                failedSync.publish(Optional.of(failed));
                SideFiles.forget(disk);
            }
            return done;
        }
    }

    /// @return false when it was thrown away
    private boolean recover() throws DiskFailed, OpenFailed {
        QueueEnds held = QueueEnds.load(disk, SideFiles.HELD);
        if (held == null) {
            // What was not synced may be torn: it is small, or the begin of the log.
            SideFiles.deleteTree(disk, SideFiles.LOG_FOLDER);
            SideFiles.deleteTree(disk, SideFiles.ROOT);
            SideFiles.check(disk.delete(SideFiles.QUEUES));
            return true;
        }
        SideQueues known = new SideQueues(dropped(), held);
        queues = known;
        SideLog.MillisSeen millis = new SideLog.MillisSeen(held.mark().storeMillis());
        long found = log.recover(held.mark().logOffset(), known::add, millis);
        if (found < 0) {
            SideFiles.discard(disk);
            return false;
        }
        hasSnapshot = true;
        end = found;
        lastMillis = millis.storeMillis();
        return true;
    }

    /// Puts the copy in the store's place, while nobody has the store open: all of it, or nothing, whenever it is
    /// interrupted. `Store.open` and `LogCut.at` end what was begun.
    ///
    /// The store that is opened then has the copied log, of which everything up to `confirm` is confirmed; its
    /// queues are made from the log while it serves.
    ///
    /// @param confirm from the snapshot's offset to the copy's end; where no record ends, what lies before counts
    /// @param keepOld an operator has to look at the old log, so that it is not deleted for want of room
    /// @param with files of the store's root or of `config` that take their place with the copy, such as the
    ///        owner's own
    /// @return the path of the folder with the old store; its log is in the folder of that name in `commitlog`
    public String switchOver(
            long confirm, boolean keepOld, SequencedMap<FileId, byte[]> with, Notices notices, long wallMillis)
            throws OpenFailed {
        Disk.Lock lock = StoreAtRest.take(disk);
        try {
            if (confirm < plan.snapshotOffset() || confirm > end || broken != null) {
                throw new OpenFailed("The copy in " + disk.describe(new FileId(SideFiles.FOLDER)) + " reaches to " + end
                        + ", with the state of " + plan.snapshotOffset() + ": it cannot be taken as confirmed up to "
                        + confirm + ". Copy again.");
            }
            SideFiles.check(log.make(plan.begin(), unsynced));
            writeCheckpoint(confirm);
            for (Map.Entry<FileId, byte[]> file : with.entrySet()) {
                SideFiles.check(Export.overwrite(disk, SideFiles.in(SideFiles.ROOT, file.getKey()), file.getValue()));
            }
            SideFiles.check(sync());
            StoreSwitch ready = StoreSwitch.begin(disk, config, keepOld, wallMillis);
            ready.run(notices);
            return disk.describe(new FileId(ready.folder()));
        } catch (DiskFailed e) {
            throw new OpenFailed(e);
        } finally {
            lock.close();
        }
    }

    private void writeCheckpoint(long confirm) throws DiskFailed, OpenFailed {
        Map<QueueKey, Long> behind = new HashMap<>();
        long place = end;
        long millis = lastMillis;
        if (confirm < end) {
            long[] reached = {
                Math.max(plan.begin(), confirm - confirm % config.segmentBytes() - config.segmentBytes()), 0
            };
            log.scan(reached[0], end, record -> gather(record, confirm, reached, behind));
            place = reached[0];
            millis = reached[1];
        }
        QueueEnds leaders = QueueEnds.load(disk, SideFiles.QUEUES);
        SideQueues.Ends ends = queues().at(place, millis, leaders, behind);
        Mark mark = ends.mark();
        IndexMark index = new IndexMark(plan.begin(), null);
        write(Checkpoint.FILE, Checkpoint.encode(mark, index));
        write(QueueEnds.FILE, ends.content());
    }

    private void write(FileId file, byte[] content) throws DiskFailed {
        SideFiles.check(Export.overwrite(disk, SideFiles.in(SideFiles.ROOT, file), content));
    }

    /// @param reached where the last record below `confirm` ends, and when it was stored
    private static void gather(RecordView record, long confirm, long[] reached, Map<QueueKey, Long> behind) {
        if (record.logOffset() + record.size() <= confirm) {
            reached[0] = record.logOffset() + record.size();
            reached[1] = record.storeMillis();
        } else if (Redispatch.hasEntry(record)) {
            behind.putIfAbsent(new QueueKey(record.topic(), record.queueId()), record.queueOffset());
        }
    }
}
