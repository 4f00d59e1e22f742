package gantry.store;

import gantry.base.Clock;
import gantry.base.Published;
import gantry.base.Sequencer;
import gantry.store.Checkpoint.Mark;
import gantry.store.Disk.Done;
import java.time.Duration;
import java.util.List;

/// Makes the log durable, one sync after the other.
///
/// For:   group commit: while one sync is under way others write on, and the next sync covers all of them.
/// Owner: the log sequencer; syncs come back as commands.
/// Never: more than one sync at a time; waits.
/// Holds: LOG-2 durable <= appended.
///
/// ```
///   idle ── start: target = the log's end ──▶ syncing file, file, … ── all done: durable = target ──▶ idle
///                                                └── one failed: told to `Outcome`, stays here for good
/// ```
final class LogSync {
    /// Told how syncs end, inside the sequencer.
    interface Outcome {
        void durableMoved(long durable);

        void syncFailed(Done.Failed why);
    }

    private final Disk disk;
    private final Clock clock;
    private final Sequencer sequencer;
    private final SegmentShelf shelf;
    private final LogTail tail;
    private final Outcome outcome;
    private final Published durable;
    private Mark mark;
    private Mark target;
    private List<Segment> files = List.of();
    private int syncing;
    private boolean running;
    private long startedNanos;

    LogSync(
            Disk disk,
            Clock clock,
            Sequencer sequencer,
            SegmentShelf shelf,
            LogTail tail,
            Outcome outcome,
            Mark recovered) {
        this.disk = disk;
        this.clock = clock;
        this.sequencer = sequencer;
        this.shelf = shelf;
        this.tail = tail;
        this.outcome = outcome;
        this.durable = new Published(recovered.logOffset());
        this.mark = recovered;
        this.target = recovered;
        this.startedNanos = clock.nanos();
    }

    /// May be read by anybody.
    long durable() {
        return durable.read();
    }

    /// The durable end, with what belongs to it.
    Mark mark() {
        return mark;
    }

    /// Queues began in the middle: so many entries lie below every place, too.
    void gave(long entries) {
        mark = mark.plus(entries);
        target = target.plus(entries);
    }

    boolean isRunning() {
        return running;
    }

    long startedNanos() {
        return startedNanos;
    }

    /// Starts a sync if there is something to sync and none is under way.
    void start() {
        if (running || tail.end() == mark.logOffset() || !shelf.isSettled()) {
            return;
        }
        running = true;
        startedNanos = clock.nanos();
        target = new Mark(tail.end(), tail.lastMillis(), tail.entryCount());
        files = shelf.read().between(mark.logOffset(), target.logOffset());
        syncing = 0;
        syncNext();
    }

    /// Waits for the disk, but not longer than `limit`; only when closing, after the last append.
    Done finish(Duration limit) {
        Mark end = new Mark(tail.end(), tail.lastMillis(), tail.entryCount());
        List<FileId> dirty = shelf.read().between(mark.logOffset(), end.logOffset()).stream()
                .map(Segment::file)
                .toList();
        Done done = disk.syncAll(dirty, shelf.isSettled() ? List.of() : List.of(Segments.FOLDER), limit);
        if (done.isOk()) {
            reach(end);
        }
        return done;
    }

    private void syncNext() {
        disk.sync(files.get(syncing).file(), done -> sequencer.submitAlways(() -> synced(done)));
    }

    private void synced(Done done) {
        if (done instanceof Done.Failed failed) {
            outcome.syncFailed(failed);
            return;
        }
        if (++syncing < files.size()) {
            syncNext();
            return;
        }
        running = false;
        reach(target);
    }

    private void reach(Mark reached) {
        if (reached.logOffset() < mark.logOffset()) {
            return;
        }
        mark = reached;
        durable.advance(reached.logOffset());
        outcome.durableMoved(reached.logOffset());
    }
}
