package gantry.store;

import gantry.store.Disk.Done;
import gantry.store.Disk.FileEntry;
import java.util.ArrayList;
import java.util.List;

/// Where a copy of another member's whole log lies beside this one's, and where what it replaces goes.
///
/// ```
///   gantrycopy/plan               what is copied; without it nothing of the copy counts
///   gantrycopy/held               up to where the log is on disk, with the ends of its queues there (as `QueueEnds`)
///   gantrycopy/queues             the ends of the leader's queues (as `QueueEnds`)
///   gantrycopy/root/…             what will lie in the store's root: droppedtopics, config/…, checkpoint, …
///   commitlog/gantrycopy/OFFSET   the log's files; here, because `commitlog` may be on a file system of its own
///
///   gantryswitch                  the copy takes the store's place; see `StoreSwitch`
///
///   replaced-OFFSET-TIME/…              what was in the store's root: checkpoint, config/…; OFFSET is where the old
/// log ended
///   commitlog/replaced-OFFSET-TIME/…    the old log's files
///   kept-OFFSET-TIME/…                  the same, where an operator has to look at it
/// ```
/// OFFSET is the name of the old log's last file, TIME as in `KeptTail`.
///
/// Consume queues, key index and seals are in none of them: they are made from the log.
///
/// For:   one place that knows the names.
/// Owner: none (stateless).
final class SideFiles {
    static final String FOLDER = "gantrycopy";
    static final String ROOT = FOLDER + "/root";
    static final String LOG_FOLDER = Segments.FOLDER + "/" + FOLDER;
    static final FileId PLAN = new FileId(FOLDER + "/plan");
    static final FileId HELD = new FileId(FOLDER + "/held");
    static final FileId QUEUES = new FileId(FOLDER + "/queues");
    static final String REPLACED = "replaced-";
    static final String KEPT = "kept-";

    private SideFiles() {}

    static FileId logFile(long base) {
        return new FileId(LOG_FOLDER + "/" + Names.ofOffset(base));
    }

    /// The same file in another folder.
    static FileId in(String folder, FileId file) {
        return new FileId(folder + "/" + file.path());
    }

    /// All files below a folder.
    static List<FileId> tree(Disk disk, String folder) throws DiskFailed {
        List<FileId> files = new ArrayList<>();
        for (FileEntry entry : disk.list(folder)) {
            String path = folder + "/" + entry.name();
            if (entry.folder()) {
                files.addAll(tree(disk, path));
            } else {
                files.add(new FileId(path));
            }
        }
        return files;
    }

    /// Deletes a folder with everything in it; not certain before a sync of the folder above.
    static void deleteTree(Disk disk, String folder) throws DiskFailed {
        for (FileEntry entry : disk.list(folder)) {
            String path = folder + "/" + entry.name();
            if (entry.folder()) {
                deleteTree(disk, path);
            } else {
                check(disk.delete(new FileId(path)));
            }
        }
        check(disk.deleteFolder(folder));
    }

    /// Forgets a copy: first, and for certain, that there is one.
    static void discard(Disk disk) throws DiskFailed {
        if (disk.list(FOLDER).stream().anyMatch(entry -> entry.name().equals(PLAN.name()))) {
            check(disk.delete(PLAN));
            check(disk.syncFolder(FOLDER));
        }
        deleteTree(disk, LOG_FOLDER);
        deleteTree(disk, FOLDER);
    }

    /// The copy is no good, and is not found any more. A disk that cannot even do that shows the copy to who looks for
    /// it after a restart, up to where it was synced for certain and no further than what can be read there.
    static void forget(Disk disk) {
        if (disk.delete(PLAN).isOk()) {
            // When the name comes again after a loss of power, so does only what was on disk.
            disk.syncFolder(FOLDER);
        }
    }

    static void check(Done done) throws DiskFailed {
        if (done instanceof Done.Failed failed) {
            throw new DiskFailed(failed);
        }
    }
}
