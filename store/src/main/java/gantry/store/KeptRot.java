package gantry.store;

import gantry.store.Disk.Done;
import gantry.store.Disk.FileEntry;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// What stood in the log before a part of it was mended, kept aside in a file.
///
/// ```
///   gantryrot/00000000000000012288-20261130081500123          whole
///   gantryrot/00000000000000012288-20261130081500123.tmp      on its way; thrown away by the next
///             └─ logOffset ──────┘ └─ when, local time
/// ```
/// For:   an operator who wants to see what has changed.
/// Owner: `RangeMend`.
/// Never: read by a store; more than `MOST_KEPT` of them.
final class KeptRot {
    static final String FOLDER = "gantryrot";

    /// The oldest others are deleted.
    static final int MOST_KEPT = 16;

    private static final String DRAFT = ".tmp";

    private final Disk disk;

    KeptRot(Disk disk) {
        this.disk = disk;
    }

    /// Writes it, for certain.
    FileId keep(long logOffset, ByteBuffer bytes, long wallMillis) throws DiskFailed {
        List<String> others = whole();
        // Oldest first by time, which stands behind the offset.
        others.sort(Comparator.comparing(name -> name.substring(name.indexOf('-') + 1)));
        long newest = others.isEmpty()
                ? 0
                : Long.parseLong(others.getLast().substring(others.getLast().indexOf('-') + 1));
        String time = Long.toString(Math.max(IndexFile.nameAt(wallMillis), newest + 1));
        FileId kept =
                new FileId(FOLDER + "/" + Names.ofOffset(logOffset) + "-" + "0".repeat(17 - time.length()) + time);
        FileId draft = new FileId(kept.path() + DRAFT);
        try {
            check(disk.create(draft, bytes.remaining()));
            check(disk.write(draft, 0, bytes));
            check(disk.syncNow(draft));
            check(disk.rename(draft, kept));
            check(disk.syncFolder(FOLDER));
            for (int i = 0; i <= others.size() - MOST_KEPT; i++) {
                check(disk.delete(new FileId(FOLDER + "/" + others.get(i))));
            }
        } catch (DiskFailed e) {
            // Fails too, perhaps; then the next one takes it away.
            disk.delete(draft);
            throw e;
        }
        return kept;
    }

    private List<String> whole() throws DiskFailed {
        List<String> names = new ArrayList<>();
        for (FileEntry entry : disk.list(FOLDER)) {
            if (entry.name().endsWith(DRAFT)) {
                check(disk.delete(new FileId(FOLDER + "/" + entry.name())));
            } else if (entry.name().matches("\\d{20}-\\d{17}")) {
                names.add(entry.name());
            }
        }
        return names;
    }

    private static void check(Done done) throws DiskFailed {
        if (done instanceof Done.Failed failed) {
            throw new DiskFailed(failed);
        }
    }
}
