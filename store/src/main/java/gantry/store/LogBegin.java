package gantry.store;

import gantry.base.Require;
import gantry.store.Checkpoint.Mark;
import gantry.store.Disk.Done;
import gantry.store.Disk.FileEntry;

/// Lets the log of a store that has no message begin elsewhere than at 0.
///
/// ```
///   the empty files go ─▶ one empty file at `begin` ─▶ checkpoint and ends of queues say so
/// ```
/// Interrupted anywhere, the store opens, empty, at its old begin or the new one; then it is called again.
///
/// For:   a copy of a log whose older files are gone.
/// Owner: whoever owns the store; before `Store.open`. Blocks.
/// Never: touches a store with a message, or with a queue.
public final class LogBegin {
    private LogBegin() {}

    /// @param begin a multiple of `segmentBytes`
    /// @param segmentBytes the length of the files from now on
    public static void at(Disk disk, long begin, long segmentBytes) throws OpenFailed {
        Require.that(begin >= 0 && begin % segmentBytes == 0, "a log begins with a file, not at " + begin);
        Disk.Lock lock = StoreAtRest.take(disk);
        try {
            if (!StoreAtRest.isEmpty(disk) || !disk.list(QueueFiles.ROOT).isEmpty()) {
                throw new OpenFailed(disk.describe(new FileId(Segments.FOLDER))
                        + " is not empty: a log with messages keeps its begin. Use another store directory.");
            }
            for (FileEntry file : disk.list(Segments.FOLDER)) {
                check(disk.delete(new FileId(Segments.FOLDER + "/" + file.name())));
            }
            check(disk.syncFolder(Segments.FOLDER));
            FileId first = Segments.fileAt(begin);
            check(disk.create(first, segmentBytes));
            check(disk.syncNow(first));
            check(disk.syncFolder(Segments.FOLDER));
            Mark there = new Mark(begin, 0, 0);
            byte[] noEnds = new QueueEnds.Writer(there).content();
            check(Export.overwriteAll(
                    disk, QueueFlush.contents(there, noEnds, new IndexMark(begin, null)), QueueFlush.LONGEST_ROUND));
        } catch (DiskFailed e) {
            throw new OpenFailed(e);
        } finally {
            lock.close();
        }
    }

    private static void check(Done done) throws DiskFailed {
        if (done instanceof Done.Failed failed) {
            throw new DiskFailed(failed);
        }
    }
}
