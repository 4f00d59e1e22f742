package gantry.store;

import gantry.base.Clock;
import gantry.base.Image;
import gantry.base.Lease;
import gantry.base.Notices;
import gantry.base.Offload;
import gantry.base.Sequencer;
import gantry.store.Disk.Done;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Brings a new segment when the current one is nearly full.
///
/// For:   having the next file there, its name durable and its bytes mapped, before an append needs it.
/// Owner: the log sequencer; `read` may be called by anybody.
/// Never: waits for the disk; when the file is not there in time it is created on the spot, which does not wait
///        either, and its name is made durable behind it: until then `isSettled` is false and nothing is durable.
final class SegmentShelf {
    /// How full the current segment is when the next one is made.
    private static final double MAKE_AHEAD_AT = 0.8;

    private sealed interface Made {
        record Ready(Segment segment) implements Made {}

        record Not(Done.Failed why) implements Made {}
    }

    private final StoreConfig config;
    private final Disk disk;
    private final Offload offload;
    private final Sequencer sequencer;
    private final Lease session;
    private final Clock clock;
    private final Complaint complaint;
    private final Runnable settled;
    private final Image<Segments> segments;
    private @Nullable Segment ahead;
    private boolean making;
    private long settledBase;
    private boolean ended;
    private Done.@Nullable Failed failure;

    /// @param session is held by work that is under way, so that the store's lock outlives it
    /// @param settled runs inside when `isSettled` has become true
    SegmentShelf(
            StoreConfig config,
            Disk disk,
            Offload offload,
            Sequencer sequencer,
            Lease session,
            Clock clock,
            Notices notices,
            Segments recovered,
            Runnable settled) {
        this.config = config;
        this.disk = disk;
        this.offload = offload;
        this.sequencer = sequencer;
        this.session = session;
        this.clock = clock;
        this.complaint = new Complaint(notices);
        this.settled = settled;
        this.segments = new Image<>(recovered);
        this.settledBase = recovered.last().base();
    }

    Segments read() {
        return segments.read();
    }

    /// Whether the names of all segments are durable.
    boolean isSettled() {
        return settledBase >= segments.read().last().base();
    }

    /// Starts to make the next segment if the log's end has come near, or goes on with one that failed.
    void lookAhead(long logEnd) {
        if (making || ended) {
            return;
        }
        Segments now = segments.read();
        if (!isSettled()) {
            make(now.last().base());
        } else if (ahead == null && logEnd - now.last().base() >= config.segmentBytes() * MAKE_AHEAD_AT) {
            make(now.endOffset());
        }
    }

    /// The segment of a log offset at most one segment beyond the last; it becomes the last if it was not there.
    ///
    /// @return null when it could not be created; `failure` tells why
    @Nullable
    Segment reach(long logOffset) {
        Segments now = segments.read();
        Segment there = now.find(logOffset);
        if (there != null) {
            return there;
        }
        Segment next = ahead;
        ahead = null;
        if (next == null) {
            next = createOnTheSpot(now.endOffset());
            if (next == null) {
                return null;
            }
        }
        segments.publish(now.with(next));
        lookAhead(logOffset);
        return next;
    }

    /// Takes the oldest segments out; whoever gets them ends them, which may wait.
    List<Segment> dropHead(int count) {
        List<Segment> all = segments.read().all();
        segments.publish(new Segments(config.segmentBytes(), all.subList(count, all.size())));
        return all.subList(0, count);
    }

    /// Why the last `reach` did not succeed.
    Done.@Nullable Failed failure() {
        return failure;
    }

    /// Closes everything for good.
    void end() {
        ended = true;
        for (Segment segment : segments.read().all()) {
            segment.end();
        }
        if (ahead != null) {
            ahead.end();
            ahead = null;
        }
    }

    private @Nullable Segment createOnTheSpot(long base) {
        FileId file = Segments.fileAt(base);
        if (disk.create(file, config.segmentBytes()) instanceof Done.Failed failed) {
            failure = failed;
            return null;
        }
        try {
            return Segment.open(disk, base);
        } catch (DiskFailed e) {
            failure = e.failure();
            return null;
        }
    }

    private void make(long base) {
        making = true;
        offload.run(() -> {
            Made made = prepare(base);
            sequencer.submitAlways(() -> finished(base, made));
        });
    }

    /// Outside of the sequencer: may wait for the disk.
    private Made prepare(long base) {
        FileId file = Segments.fileAt(base);
        if (!session.take()) {
            return new Made.Not(new Done.Failed(Done.Kind.IO, disk.describe(file) + ": the store is closed"));
        }
        try {
            Done done = disk.create(file, config.segmentBytes());
            done = done.isOk() ? disk.syncNow(file) : done;
            done = done.isOk() ? disk.syncFolder(Segments.FOLDER) : done;
            return done instanceof Done.Failed failed ? new Made.Not(failed) : new Made.Ready(Segment.open(disk, base));
        } catch (DiskFailed e) {
            return new Made.Not(e.failure());
        } finally {
            session.giveBack();
        }
    }

    private void finished(long base, Made made) {
        making = false;
        switch (made) {
            case Made.Ready ready -> shelve(base, ready.segment());
            case Made.Not not -> {
                if (!ended) {
                    complaint.alarm(
                            "The next commit-log file could not be made, and is tried again: "
                                    + not.why().sentence(),
                            clock.nanos());
                }
            }
        }
    }

    private void shelve(long base, Segment segment) {
        Segments now = segments.read();
        if (ended || base < now.last().base()) {
            segment.end();
        } else if (base == now.last().base()) {
            segment.end();
            settledBase = base;
            settled.run();
        } else {
            ahead = segment;
            settledBase = base;
        }
    }
}
