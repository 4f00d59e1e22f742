package gantry.store;

import gantry.base.Notices;
import gantry.store.Disk.Done;
import gantry.store.Disk.FileEntry;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/// Looks at the commit-log files before anything of them is believed.
///
/// ```
///   begun   begun   begun (the last: may be short after a crash)   not begun …
///   └──── exactly segmentBytes, no gap ────┘                       └─ wrong length: was being made, is made anew
/// ```
/// For:   a list of segments of the right names and lengths, or one sentence that says which file is wrong.
/// Owner: recovery.
/// Never: deletes or changes a file of which anything was certain.
final class LogFiles {
    private static final int HEAD_BYTES = 8;

    private final StoreConfig config;
    private final Disk disk;
    private final Notices notices;
    private final boolean clean;
    private final long certain;

    /// @param certain everything of the log below it was on disk when the store ran last; `Long.MAX_VALUE` when that is
    ///        not known
    LogFiles(StoreConfig config, Disk disk, Notices notices, boolean clean, long certain) {
        this.config = config;
        this.disk = disk;
        this.notices = notices;
        this.clean = clean;
        this.certain = certain;
    }

    /// The bases of the segments, ascending.
    List<Long> load() throws DiskFailed, OpenFailed {
        List<FileEntry> files = new ArrayList<>();
        for (FileEntry entry : disk.list(Segments.FOLDER)) {
            if (!entry.folder()) {
                checkName(entry);
                files.add(entry);
            }
        }
        dropBehindGap(files);
        int begun = countBegun(files);
        for (int i = 0; i < begun; i++) {
            FileEntry file = files.get(i);
            if (file.bytes() != config.segmentBytes()) {
                lengthen(file, i == begun - 1);
            }
        }
        List<Long> bases = new ArrayList<>();
        for (int i = 0; i < files.size(); i++) {
            FileEntry file = files.get(i);
            long base = Names.offsetOf(file.name());
            if (i < begun || (file.bytes() == config.segmentBytes() && follows(bases, base))) {
                bases.add(base);
            } else {
                remove(file, "was being created when the store stopped; it is empty");
            }
        }
        checkGaps(bases);
        return bases;
    }

    private boolean follows(List<Long> bases, long base) {
        return bases.isEmpty() || base == bases.get(bases.size() - 1) + config.segmentBytes();
    }

    private void checkName(FileEntry entry) throws OpenFailed {
        long base = Names.offsetOf(entry.name());
        if (base < 0) {
            throw new OpenFailed(path(entry.name()) + " is not a commit-log file: those are named by 20 digits. Move it"
                    + " out of the folder, then start again.");
        }
        if (base % config.segmentBytes() != 0) {
            throw new OpenFailed(path(entry.name()) + " starts at " + base + ", which is not a multiple of "
                    + config.segmentBytes() + " (mappedFileSizeCommitLog). Set mappedFileSizeCommitLog to the value"
                    + " with which the store was written, or give the file its right name.");
        }
    }

    /// How many files there are up to the last one that begins with anything but zeros.
    private int countBegun(List<FileEntry> files) throws DiskFailed {
        for (int i = files.size(); i > 0; i--) {
            ByteBuffer head = ByteBuffer.allocate(HEAD_BYTES);
            Done done =
                    disk.read(Segments.fileAt(Names.offsetOf(files.get(i - 1).name())), 0, head);
            if (done instanceof Done.Failed failed) {
                throw new DiskFailed(failed);
            }
            if (head.getLong(0) != 0) {
                return i;
            }
        }
        return 0;
    }

    /// Names that were not certain yet when the power went may be missing between others that were not either.
    private void dropBehindGap(List<FileEntry> files) throws DiskFailed {
        int kept = 1;
        while (kept < files.size()
                && Names.offsetOf(files.get(kept).name())
                        == Names.offsetOf(files.get(kept - 1).name()) + config.segmentBytes()) {
            kept++;
        }
        boolean legal = !clean
                && kept < files.size()
                && Names.offsetOf(files.get(kept - 1).name()) + config.segmentBytes() >= certain;
        while (legal && files.size() > kept) {
            remove(files.remove(files.size() - 1), "stood behind a file that a crash took back");
        }
    }

    /// A crash may leave a file short of which not all was certain yet, and one in the middle of `Disk.cut` the last.
    private void lengthen(FileEntry file, boolean last) throws DiskFailed, OpenFailed {
        boolean wasCertain = Names.offsetOf(file.name()) + file.bytes() < certain;
        if (clean || (!last && wasCertain) || file.bytes() > config.segmentBytes()) {
            throw new OpenFailed(path(file.name()) + " has " + file.bytes() + " bytes, but a commit-log file has "
                    + config.segmentBytes() + " (mappedFileSizeCommitLog). If that setting was changed, set it back;"
                    + " otherwise the file is damaged: restore it from a copy.");
        }
        Done done = disk.create(Segments.fileAt(Names.offsetOf(file.name())), config.segmentBytes());
        if (done instanceof Done.Failed failed) {
            throw new DiskFailed(failed);
        }
    }

    private void remove(FileEntry file, String why) throws DiskFailed {
        notices.info(path(file.name()) + " " + why + " and is removed.");
        Done done = disk.delete(Segments.fileAt(Names.offsetOf(file.name())));
        if (done instanceof Done.Failed failed) {
            throw new DiskFailed(failed);
        }
    }

    private void checkGaps(List<Long> bases) throws OpenFailed {
        for (int i = 1; i < bases.size(); i++) {
            long expected = bases.get(i - 1) + config.segmentBytes();
            if (bases.get(i) != expected) {
                throw new OpenFailed(path(Names.ofOffset(expected)) + " is missing between "
                        + Names.ofOffset(bases.get(i - 1)) + " and " + Names.ofOffset(bases.get(i))
                        + ". Restore it from a copy; without it the messages in it are lost.");
            }
        }
    }

    private String path(String name) {
        return disk.describe(new FileId(Segments.FOLDER + "/" + name));
    }
}
