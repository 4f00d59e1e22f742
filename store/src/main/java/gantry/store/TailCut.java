package gantry.store;

import gantry.store.Disk.Done;
import java.util.ArrayList;
import java.util.List;

/// Takes away everything behind the log's end.
///
/// ```
///   │ file │ file with the end ░░░░░ │ file ░░░░ │ file ░░░░ │
///                              3 zeros     2 deleted   1 deleted       each for certain before the next
/// ```
/// For:   zeros behind the end, no file behind the one with the end, and all of it on disk.
/// Owner: recovery, `LogCut`, `SideLog`: nobody else has those files open.
/// Never: leaves a gap, whenever it is interrupted; then it is run again.
final class TailCut {
    private final Disk disk;
    private final String folder;

    /// @param folder in which the log's files are
    TailCut(Disk disk, String folder) {
        this.disk = disk;
        this.folder = folder;
    }

    /// @param from files that end above it may not be on disk yet, and are synced
    /// @return the files that are left
    Segments run(Segments segments, long from, long end) throws DiskFailed {
        List<Segment> kept = new ArrayList<>(segments.all());
        while (kept.size() > 1 && kept.getLast().base() > end) {
            // From the newest down, each for certain before the next: a crash must not leave a gap.
            Segment behind = kept.removeLast();
            check(disk.delete(behind.file()));
            check(disk.syncFolder(folder));
            behind.end();
        }
        Segment last = kept.getLast();
        if (end < last.base() + segments.segmentBytes()) {
            check(disk.cut(last.file(), end - last.base()));
        }
        for (Segment segment : kept) {
            if (segment.base() + segments.segmentBytes() > from) {
                check(disk.syncNow(segment.file()));
            }
        }
        // The process may have died, and not the machine: then names can be seen that are not certain yet.
        check(disk.syncFolder(folder));
        return new Segments(segments.segmentBytes(), kept);
    }

    private static void check(Done done) throws DiskFailed {
        if (done instanceof Done.Failed failed) {
            throw new DiskFailed(failed);
        }
    }
}
