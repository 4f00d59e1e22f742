package gantry.store;

import gantry.base.Notices;

/// Names a disk that does not come back from a sync, because nothing else would tell.
///
/// For:   the tick of the log.
/// Owner: the log sequencer.
final class SyncWatch {
    /// A sync that takes longer is told to the operator.
    static final long STALL_SECONDS = 8;

    private static final long SECOND = 1_000_000_000L;

    private final Disk disk;
    private final LogSync sync;
    private final SegmentShelf shelf;
    private final Troubles troubles;
    private final Notices notices;
    private final Complaint stalled;

    SyncWatch(Disk disk, LogSync sync, SegmentShelf shelf, Troubles troubles, Notices notices) {
        this.disk = disk;
        this.sync = sync;
        this.shelf = shelf;
        this.troubles = troubles;
        this.notices = notices;
        this.stalled = new Complaint(notices);
    }

    void tick(long now) {
        long seconds = (now - sync.startedNanos()) / SECOND;
        if (sync.isRunning() && seconds >= STALL_SECONDS) {
            String sentence = "The sync of " + disk.describe(shelf.read().last().file()) + " has not come back for "
                    + seconds + " s: the disk hangs. Sends wait or are refused meanwhile; check the disk.";
            stalled.alarm(sentence, now);
            troubles.set(Trouble.Kind.SYNC_STALLED, sentence);
        } else if (!sync.isRunning() && troubles.has(Trouble.Kind.SYNC_STALLED)) {
            troubles.set(Trouble.Kind.SYNC_STALLED, null);
            notices.over("The disk syncs again.");
        }
    }
}
