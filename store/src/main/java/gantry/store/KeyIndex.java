package gantry.store;

import gantry.base.Clock;
import gantry.base.Image;
import gantry.base.Notices;
import gantry.base.Offload;
import gantry.base.Published;
import gantry.base.Sequencer;
import gantry.store.Disk.Done;
import java.time.Duration;
import java.util.Iterator;
import java.util.Map;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/// The key index: which messages have a key.
///
/// ```
///   appends ─▶ trail ─▶ (each tick) the keys of new messages, in memory ─▶ (when many, or with the checkpoint) files
///   log, where a trail has missed something ─▶ ┘
///   query ─▶ what is new in the log ─▶ memory, then the files, newest first ─▶ the messages decide
/// ```
/// A send leaves the hashes of its keys behind, and does nothing else for it; what a crash takes is read again in the
/// log, from its mark in the checkpoint.
///
/// For:   finding messages by unique key and by `KEYS`.
/// Owner: the index sequencer. Its commands wait for the disk, so nobody enters it but work that was offloaded, and
///        the store's close.
/// Never: on the way of a send or a pull; a reason not to serve.
/// Holds: INDEX-2 the published mark names nothing that is not on disk.
final class KeyIndex {
    /// What is read of the log at each tick: ten times as much a second.
    private static final long FOLLOWED_BYTES = 64 << 20;

    /// What a clean stop reads of the log at most; what is left is followed after the next start.
    private static final long LAST_BYTES = 256 << 20;

    /// Further behind than this, its progress is told.
    private static final long BEHIND_BYTES = 128 << 20;

    private static final long PROGRESS_NANOS = 10_000_000_000L;
    private static final long RETRY_NANOS = 1_000_000_000L;

    private final boolean enabled;
    private final Disk disk;
    private final Clock clock;
    private final Offload offload;
    private final Notices notices;
    private final Sequencer sequencer;
    private final Log log;
    private final IndexLayout layout;
    private final IndexWriter writer;
    private final long flushNanos;
    private final NavigableMap<Long, IndexFile> files;
    private final IndexUpkeep upkeep;
    private final Complaint complaint;
    private final Image<IndexMark> mark;

    /// For a tick to see whether there is anything to do.
    private final Image<Boolean> workWaits = new Image<>(false);

    private final Image<Boolean> restless = new Image<>(true);
    private final Published followed;
    private final Published retained = new Published(-1);
    private IndexBuilder tail;
    private long flushedNanos;
    private long retryNanos;
    private boolean catchingUp;
    private long toldNanos;
    private boolean stopped;

    /// @param mark is published whenever more is on disk
    KeyIndex(
            StoreConfig config,
            Disk disk,
            Clock clock,
            Offload offload,
            Notices notices,
            Sequencer sequencer,
            Log log,
            IndexLoad.Loaded loaded,
            Image<IndexMark> mark) {
        this.enabled = config.index().enabled();
        this.disk = disk;
        this.clock = clock;
        this.offload = offload;
        this.notices = notices;
        this.sequencer = sequencer;
        this.log = log;
        this.mark = mark;
        this.layout = new IndexLayout(config.index().slots(), config.index().entries());
        this.writer = new IndexWriter(disk, layout);
        this.flushNanos = config.checkpointInterval().toNanos();
        this.files = loaded.files();
        this.upkeep = new IndexUpkeep(disk, layout, writer, notices, files);
        this.complaint = new Complaint(notices);
        this.followed = new Published(loaded.position());
        this.tail = tail(loaded.current(), loaded.position());
        this.flushedNanos = clock.nanos();
        this.retryNanos = clock.nanos();
    }

    // ---- for everybody

    /// To be called every 100 ms or so; costs a few reads when nothing has happened.
    void tick() {
        boolean idle = !restless.read()
                && followed.read() == log.confirmed()
                && log.segments().minOffset() == retained.read();
        if (!enabled || idle || workWaits.read()) {
            return;
        }
        workWaits.publish(true);
        if (!log.takeKeys(this::submitWork)) {
            submitWork(null);
        }
    }

    private void submitWork(@Nullable KeyTrail trail) {
        offload.run(() -> sequencer.submitAlways(() -> {
            work(trail);
            if (trail != null) {
                log.giveBack(trail);
            }
        }));
    }

    /// Up to where the log is followed.
    long followed() {
        return followed.read();
    }

    void query(KeyQuery query, KeyAnswer answer) {
        if (!enabled) {
            answer.refused("messages are not indexed by key on this broker: messageIndexEnable is false");
            return;
        }
        offload.run(() -> {
            if (!sequencer.submit(() -> answer(query, answer))) {
                answer.refused("too many key queries wait already; ask again");
            }
        });
    }

    // ---- inside

    private void work(@Nullable KeyTrail trail) {
        workWaits.publish(false);
        if (stopped) {
            return;
        }
        long now = clock.nanos();
        Segments segments = log.segments();
        deleteBelow(segments.minOffset());
        follow(segments, trail);
        boolean due = tail.pending().isFull() || now - flushedNanos >= flushNanos;
        if (due && now - retryNanos >= 0) {
            flush(now);
        }
        long damaged = upkeep.step(segments, growing(), now);
        if (damaged >= 0) {
            drop(damaged, segments);
        }
        tellProgress(now);
        restless.publish(tail.pending().count() > 0
                || !upkeep.isDone()
                || mark.read().logOffset() < Math.min(tail.position(), log.settled()));
    }

    /// Reads of the log only what the trail does not know.
    private void follow(Segments segments, @Nullable KeyTrail trail) {
        long confirmed = log.confirmed();
        if (trail == null) {
            tail.follow(segments, confirmed, FOLLOWED_BYTES);
        } else {
            tail.follow(segments, Math.min(confirmed, trail.from()), FOLLOWED_BYTES);
            tail.take(trail);
            tail.follow(segments, Math.min(confirmed, trail.end()), FOLLOWED_BYTES);
        }
        followedTo();
    }

    private void follow(Segments segments) {
        follow(segments, null);
    }

    private void followedTo() {
        followed.advance(Math.max(followed.read(), tail.position()));
        String damage = tail.takeDamage();
        if (damage != null) {
            notices.alarm("The key index cannot follow the log at " + damage
                    + ": the rest of that file is left out of key queries. Run verify on the store.");
        }
    }

    /// @return whether everything settled is in files, on disk
    private boolean flush(long now) {
        flushedNanos = now;
        long settled = log.settled();
        if (!tail.flush(settled)) {
            retryNanos = now + RETRY_NANOS;
            Done.Failed failed = tail.failure();
            if (failed != null) {
                complaint.alarm(
                        "The key index could not be written, and is tried again; key queries miss the newest messages"
                                + " meanwhile: " + failed.sentence(),
                        now);
            }
            return false;
        }
        IndexMark reached = tail.mark();
        // A mark behind it would outlive messages that a crash or a cut of the log takes.
        mark.publish(new IndexMark(Math.min(reached.logOffset(), settled), reached.file()));
        return true;
    }

    /// Drops files whose messages retention has dropped; never the newest.
    private void deleteBelow(long minOffset) {
        retained.reset(minOffset);
        Iterator<Map.Entry<Long, IndexFile>> oldest = files.entrySet().iterator();
        while (oldest.hasNext()) {
            IndexFile file = oldest.next().getValue();
            if (file.header().endOffset() >= minOffset || !oldest.hasNext()) {
                return;
            }
            oldest.remove();
            delete(file.name());
        }
    }

    private void drop(long name, Segments segments) {
        boolean newest = name == growing();
        files.remove(name);
        delete(name);
        if (newest) {
            Map.Entry<Long, IndexFile> last = files.lastEntry();
            long from = last == null ? segments.minOffset() : IndexLoad.behind(segments, last.getValue());
            tail = tail(last == null ? null : last.getValue(), Math.max(from, segments.minOffset()));
            mark.publish(tail.mark());
        } else {
            upkeep.dropped(name);
        }
    }

    private void delete(long name) {
        FileId file = IndexFile.idOf(name);
        Done done = disk.delete(file);
        done = done.isOk() ? disk.syncFolder(IndexLayout.FOLDER) : done;
        if (done instanceof Done.Failed failed) {
            complaint.alarm("An index file could not be deleted: " + failed.sentence(), clock.nanos());
        }
    }

    private IndexBuilder tail(@Nullable IndexFile current, long position) {
        return new IndexBuilder(
                disk, layout, writer, this::nameBehind, file -> files.put(file.name(), file), true, current, position);
    }

    private long nameBehind(long firstMillis) {
        long wanted = IndexFile.nameAt(firstMillis);
        return files.isEmpty() ? wanted : Math.max(wanted, files.lastKey() + 1);
    }

    private long growing() {
        IndexFile current = tail.current();
        return current == null ? -1 : current.name();
    }

    private void tellProgress(long now) {
        long behind = log.confirmed() - tail.position();
        if (behind > BEHIND_BYTES && now - toldNanos >= PROGRESS_NANOS) {
            catchingUp = true;
            toldNanos = now;
            notices.info("The key index follows the log: it has reached log offset " + tail.position() + ", " + behind
                    + " bytes are left. Key queries miss the newest messages meanwhile.");
        } else if (catchingUp && behind <= BEHIND_BYTES) {
            catchingUp = false;
            notices.info("The key index has caught up with the log.");
        }
    }

    private void answer(KeyQuery query, KeyAnswer answer) {
        if (stopped) {
            answer.refused("the store is closed");
            return;
        }
        Segments segments = log.segments();
        follow(segments);
        IndexFound found = new IndexFound(query, segments, log.confirmed());
        try {
            IndexSearch search = new IndexSearch(disk, layout, query, found);
            search(search);
            if (search.isExhausted() && found.records().isEmpty()) {
                answer.refused("more than " + IndexSearch.MOST_ENTRIES + " messages may have this key, and none of"
                        + " the newest is wanted: ask for a time window nearer to them");
            } else {
                answer.found(found.records(), tail.lastMillis(), tail.position());
            }
        } finally {
            found.giveBack();
        }
    }

    private void search(IndexSearch search) {
        if (!search.inMemory(tail.pending())) {
            return;
        }
        for (IndexFile file : files.descendingMap().values()) {
            boolean goOn = search.inFile(file);
            if (search.fault() != null) {
                notices.warn(disk.describe(file.id()) + ": " + search.fault() + ". It is read through now.");
                upkeep.suspect(file.name());
                restless.publish(true);
            }
            if (!goOn) {
                return;
            }
        }
    }

    // ---- the end

    /// Brings everything into the files; the log is durable by now. Nothing is done after it. What there is no time for
    /// is followed after the next start.
    void finish(long deadlineNanos) {
        sequencer.requireInside();
        if (stopped || !enabled) {
            return;
        }
        stopped = true;
        long until = tail.position() + LAST_BYTES;
        Segments segments = log.segments();
        writer.waitAtMost(Duration.ofNanos(Math.max(0, deadlineNanos - clock.nanos())));
        do {
            follow(segments);
        } while (flush(clock.nanos())
                && tail.position() < Math.min(until, log.confirmed())
                && clock.nanos() < deadlineNanos);
    }

    /// The files stay as they are.
    void stop() {
        sequencer.requireInside();
        stopped = true;
    }
}
