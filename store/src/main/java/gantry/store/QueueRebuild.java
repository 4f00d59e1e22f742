package gantry.store;

import gantry.base.Clock;
import gantry.base.Image;
import gantry.base.Lease;
import gantry.base.Notices;
import gantry.base.Offload;
import gantry.base.Sequencer;
import gantry.store.Disk.Done;
import gantry.wire.message.RecordView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Makes lost consume queues again from the log, all of them in one pass, while everything else is served.
///
/// ```
///   tick ─▶ outside: a piece of the log is read ─▶ entries gathered ─▶ written ─▶ inside the log: readable up to there
///     └─ at the end of the pass ─▶ all files synced ─▶ inside the log: nothing is missing ─▶ next checkpoint
/// ```
/// A crash anywhere in here loses the work and nothing else: until the checkpoint says that the queues are
/// whole, a start takes their files away and begins anew (`QueueLoads`).
///
/// For:   serving at once after a start that has found queue files lost, zeroed, cut or garbled.
/// Owner: its own sequencer, which nobody enters but offloaded work, because its commands wait for the disk.
/// Never: more than one piece at each tick; an entry of a record behind the place from which recovery has added them.
final class QueueRebuild {
    /// Entries that wait in memory before they are written.
    private static final int MOST_WAITING = 100_000;

    /// A record that claims a queueOffset this far beyond its queue's last is not believed.
    private static final long FURTHEST_GAP = 10_000_000;

    private static final long PROGRESS_NANOS = 10_000_000_000L;
    private static final Duration LONGEST_SYNC = Duration.ofMinutes(10);
    private static final int MOST_NAMED = 10;

    /// A part of the log that cannot be read for so long is taken for lost.
    static final Duration PATIENCE = Duration.ofMinutes(1);

    /// For a start that waits: as above, after so many tries.
    private static final int MOST_TRIES = 20;

    private static final double MEBIBYTE = 1 << 20;

    /// Told how far it has come; any thread.
    interface Outcome {
        /// The queue begins at `first`, and `missing` is what cannot be read yet.
        void rebuilt(ConsumeQueue queue, long first, Missing missing);

        /// @param sentence how far it has come; null when it is over
        void progress(@Nullable String sentence);

        /// A part of the log is not what was sealed.
        void rotten(RottenPlace place);

        /// All queues are whole and on disk.
        void whole();
    }

    private final long pieceBytes;
    private final long segmentBytes;
    private final Disk disk;
    private final Clock clock;
    private final Offload offload;
    private final Notices notices;
    private final Sequencer sequencer;
    private final Lease session;
    private final Log log;
    private final Outcome outcome;
    private final EntryRule rule;
    private final Complaint complaint;
    private final RecoveryWatch watch;
    private final long to;
    private final Map<ConsumeQueue, RebuiltQueue> queues = new LinkedHashMap<>();
    private final Set<RebuiltQueue> dirty = new LinkedHashSet<>();
    private final DoubtfulEntries doubtful = new DoubtfulEntries();
    private final QueueWriter.Touched touched = new QueueWriter.Touched();
    private final Image<Boolean> tickWaits = new Image<>(false);
    private final Image<Boolean> over;
    private final long startedNanos;
    private final long from;
    private long place;
    private long lastMillis;
    private long toldNanos;
    private long disbelieved;
    private int waiting;
    private boolean failed;
    private int tries;
    private long failsSinceNanos;
    private boolean stopped;

    QueueRebuild(
            StoreConfig config,
            Disk disk,
            Clock clock,
            Offload offload,
            Notices notices,
            Sequencer sequencer,
            Lease session,
            Log log,
            Rebuild rebuild,
            Outcome outcome) {
        this.pieceBytes = config.rebuildPieceBytes();
        this.segmentBytes = config.segmentBytes();
        this.disk = disk;
        this.clock = clock;
        this.offload = offload;
        this.notices = notices;
        this.sequencer = sequencer;
        this.session = session;
        this.log = log;
        this.outcome = outcome;
        this.rule = rebuild.rule();
        this.to = rebuild.to();
        this.complaint = new Complaint(notices);
        this.watch = new RecoveryWatch(disk, clock, notices);
        this.startedNanos = clock.nanos();
        this.toldNanos = startedNanos;
        this.from = log.segments().minOffset();
        this.place = from;
        for (ConsumeQueue queue : rebuild.queues()) {
            queues.put(queue, new RebuiltQueue(queue, queue.missingTo()));
            touched.folders().add(queue.files.folder());
        }
        this.over = new Image<>(queues.isEmpty());
    }

    /// Says that it begins, if there is anything to do.
    void begin() {
        if (!over.read()) {
            outcome.progress(sentence());
        }
    }

    /// A piece of work, unless the one before is still under way.
    void tick() {
        if (over.read() || tickWaits.read()) {
            return;
        }
        tickWaits.publish(true);
        offload.run(() -> sequencer.submitAlways(() -> {
            tickWaits.publish(false);
            step(tries == 0 || clock.nanos() - failsSinceNanos < PATIENCE.toNanos());
        }));
    }

    /// Works without waiting for ticks until the queue can be read at an offset, or the disk fails. Blocks.
    void runUntilReadable(ConsumeQueue queue, long queueOffset) {
        failed = false;
        while (!over.read()
                && (!failed || tries <= MOST_TRIES)
                && queue.missing().covers(queueOffset)) {
            failed = false;
            sequencer.runAndWait(() -> step(tries < MOST_TRIES));
        }
    }

    /// No further piece; the next start begins anew.
    void stop() {
        sequencer.requireInside();
        stopped = true;
        if (!over.read()) {
            notices.warn("The store stops before its consume queues are whole again: the next start rebuilds them."
                    + " RocketMQ must not open the store before, or after gantry verify --repair only.");
        }
    }

    /// @param patient what cannot be read now may heal
    private void step(boolean patient) {
        if (stopped || over.read() || !session.take()) {
            return;
        }
        try {
            if (place < to) {
                read(patient);
            }
            if (place >= to) {
                finish();
            } else {
                tell();
            }
        } catch (DiskFailed e) {
            failed = true;
            if (tries++ == 0) {
                failsSinceNanos = clock.nanos();
            }
            String why = "Consume queues cannot be rebuilt, and it is tried again: " + e.getMessage();
            complaint.alarm(why, clock.nanos());
            outcome.progress(why);
        } catch (OpenFailed e) {
            throw new IllegalStateException(e);
        } finally {
            session.giveBack();
        }
    }

    private void read(boolean patient) throws DiskFailed, OpenFailed {
        Segments segments = log.segments();
        place = Math.max(place, segments.minOffset());
        long pieceEnd = Math.min(to, place + pieceBytes);
        // One more than the piece needs: behind damage it is looked at whether the next file goes on.
        List<Segment> held = take(segments.between(place, pieceEnd + segmentBytes));
        if (held.isEmpty()) {
            return;
        }
        try {
            SealedReading sealed = new SealedReading(disk, segmentBytes);
            LogScan scan = new LogScan(disk, segments, LogScan.Depth.CHECKSUMS, new Told())
                    .after(lastMillis)
                    .against(sealed)
                    .patient(patient);
            place = scan.run(place, pieceEnd, to, record -> add(record, scan.isInDoubt()));
            sealed.found().forEach(outcome::rotten);
            lastMillis = scan.lastMillis();
            if (place < pieceEnd) {
                // No message follows in this part of the log.
                place = to;
            }
            tries = 0;
        } finally {
            held.forEach(Segment::giveBack);
        }
        write();
    }

    /// @return empty when retention was faster
    private static List<Segment> take(List<Segment> wanted) {
        List<Segment> held = new ArrayList<>();
        for (Segment segment : wanted) {
            if (!segment.take()) {
                held.forEach(Segment::giveBack);
                return List.of();
            }
            held.add(segment);
        }
        return held;
    }

    private void add(RecordView record, boolean inDoubt) throws DiskFailed {
        ConsumeQueue queue = log.queues().of(record);
        RebuiltQueue rebuilt = queue == null ? null : queues.get(queue);
        if (rebuilt == null) {
            return;
        }
        if (inDoubt) {
            doubtful.add(rebuilt.queue(), record, rule.tagsCode(record));
            return;
        }
        addDoubtful(rebuilt, Math.min(record.queueOffset(), rebuilt.end()));
        add(rebuilt, record.queueOffset(), record.logOffset(), record.size(), rule.tagsCode(record));
    }

    /// What records in doubt have claimed below an offset that the queue has for certain.
    private void addDoubtful(RebuiltQueue rebuilt, long to) throws DiskFailed {
        long from = rebuilt.isBegun() ? rebuilt.next() : DoubtfulEntries.UNKNOWN_BEGIN;
        for (DoubtfulEntries.Entry each : doubtful.take(rebuilt.queue(), from, to)) {
            add(rebuilt, each.queueOffset(), each.logOffset(), each.size(), each.tagsCode());
        }
    }

    private void add(RebuiltQueue rebuilt, long offset, long logOffset, int size, long tagsCode) throws DiskFailed {
        if (rebuilt.isBegun() && offset < rebuilt.next()) {
            return;
        }
        if (offset >= rebuilt.end() || (rebuilt.isBegun() && offset - rebuilt.next() > FURTHEST_GAP)) {
            disbelieved++;
            return;
        }
        if (!rebuilt.isBegun()) {
            rebuilt.begin(offset);
        }
        fill(rebuilt, offset);
        put(rebuilt, logOffset, size, tagsCode);
    }

    private void fill(RebuiltQueue rebuilt, long end) throws DiskFailed {
        while (rebuilt.next() < end) {
            put(rebuilt, 0, QueueFiles.FILLER_SIZE, 0);
        }
    }

    private void put(RebuiltQueue rebuilt, long logOffset, int size, long tagsCode) throws DiskFailed {
        rebuilt.put(logOffset, size, tagsCode);
        dirty.add(rebuilt);
        if (++waiting >= MOST_WAITING) {
            write();
        }
    }

    private void write() throws DiskFailed {
        // What is written at the moment in which a topic is dropped is deleted by the next start at the latest.
        dirty.removeIf(rebuilt -> rebuilt.queue().isDropped());
        for (RebuiltQueue rebuilt : dirty) {
            check(rebuilt.write(disk, touched));
            outcome.rebuilt(
                    rebuilt.queue(),
                    rebuilt.first(),
                    new Missing(Math.max(rebuilt.first(), rebuilt.written()), rebuilt.end()));
        }
        dirty.clear();
        waiting = 0;
    }

    private void finish() throws DiskFailed {
        for (RebuiltQueue rebuilt : queues.values()) {
            addDoubtful(rebuilt, rebuilt.end());
            if (!rebuilt.isBegun() && rebuilt.end() > 0) {
                // The log has no message of it any more; its last file says where it goes on.
                long last = rebuilt.end() - 1;
                rebuilt.begin(last - rebuilt.queue().files.positionOf(last) / EntryChunk.ENTRY_BYTES);
                fill(rebuilt, rebuilt.end());
                rebuilt.startsAtEnd();
            }
            fill(rebuilt, rebuilt.end());
        }
        write();
        check(touched.sync(disk, LONGEST_SYNC));
        over.publish(true);
        long logMin = log.segments().minOffset();
        for (RebuiltQueue rebuilt : queues.values()) {
            // Retention may have been at work meanwhile, and it leaves these queues alone.
            long first = logMin == from
                    ? rebuilt.first()
                    : new QueueRetention(disk).firstFrom(rebuilt.queue(), rebuilt.first(), logMin);
            outcome.rebuilt(rebuilt.queue(), first, Missing.NOTHING);
        }
        notices.info("%d consume queues were rebuilt from the commit log in %d ms, and are served whole: %s."
                .formatted(queues.size(), (clock.nanos() - startedNanos) / 1_000_000, names()));
        if (disbelieved > 0) {
            notices.alarm(disbelieved + " messages claim impossible queue offsets and were left out of their queues;"
                    + " they are still in the commit log.");
        }
        if (doubtful.leftOutCount() > 0) {
            notices.alarm(Redispatch.LEFT_OUT.formatted(doubtful.leftOutCount()));
        }
        outcome.progress(null);
        outcome.whole();
    }

    /// A bad place of the log is named; how far it is, is told elsewhere.
    private final class Told implements LogScan.Watcher {
        @Override
        public void damaged(Damage damage) {
            watch.damaged(damage);
        }

        @Override
        public void reached(long logOffset) {}
    }

    private void tell() {
        String sentence = sentence();
        outcome.progress(sentence);
        long now = clock.nanos();
        if (now - toldNanos >= PROGRESS_NANOS) {
            toldNanos = now;
            notices.info(sentence);
        }
    }

    private String sentence() {
        return "%d lost consume queues are rebuilt from the commit log (%s): %d %%, %.0f of %.0f MiB are read. Sends go on,"
                        .formatted(
                                queues.size(),
                                names(),
                                100 * (place - from) / Math.max(1, to - from),
                                (place - from) / MEBIBYTE,
                                (to - from) / MEBIBYTE)
                + " other queues and new messages are served; consumers of old messages of these queues wait. It ends by"
                + " itself.";
    }

    private String names() {
        StringBuilder names = new StringBuilder();
        int named = 0;
        for (ConsumeQueue queue : queues.keySet()) {
            if (++named > MOST_NAMED) {
                return names + ", …";
            }
            names.append(names.isEmpty() ? "" : ", ").append(queue);
        }
        return names.toString();
    }

    private static void check(Done done) throws DiskFailed {
        if (done instanceof Done.Failed failed) {
            throw new DiskFailed(failed);
        }
    }
}
