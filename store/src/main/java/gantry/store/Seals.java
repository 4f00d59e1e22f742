package gantry.store;

import gantry.store.Disk.Done;
import gantry.store.Disk.FileEntry;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/// The block seals of a whole log: checksums over blocks of it that were durable when they were made.
///
/// ```
///   log:   │ block │ block │ block │ block │ blo…      durable
///   seals: │  sum  │  sum  │ none  │  sum  │           none: made when the scrubber reads the block
/// ```
/// For:   telling that any bit of the old part of the log has changed.
/// Owner: one at a time: whoever opens or checks the store, then the scrubber's work.
/// Never: needed: a file of seals that is lost or damaged is made again, and until then less is known.
/// Holds: SEAL-1 a seal is of bytes that are durable and do not change any more, so the file may be written in
///        any order and needs no sync.
final class Seals {
    /// The file that the scrubber reads, and the one that grows.
    private static final int KEPT_TABLES = 2;

    private final Disk disk;
    private final SealLayout layout;
    private final List<SealTable> kept = new ArrayList<>();
    private final List<String> thrownAway = new ArrayList<>();

    Seals(Disk disk, long segmentBytes) {
        this.disk = disk;
        this.layout = SealLayout.of(segmentBytes);
    }

    SealLayout layout() {
        return layout;
    }

    /// The seals of one commit-log file; without any when its file is missing or makes no sense.
    SealTable table(long base) throws DiskFailed {
        for (SealTable table : kept) {
            if (table.base() == base) {
                return table;
            }
        }
        if (kept.size() == KEPT_TABLES) {
            kept.removeFirst();
        }
        SealTable table = load(base);
        kept.add(table);
        return table;
    }

    private SealTable load(long base) throws DiskFailed {
        FileId file = SealLayout.fileAt(base);
        byte[] content = Export.readOnly(disk, file);
        if (content == null) {
            return new SealTable(layout, base, layout.empty(base), false);
        }
        String wrong = layout.wrongWith(ByteBuffer.wrap(content), base);
        if (wrong == null) {
            return new SealTable(layout, base, ByteBuffer.wrap(content), true);
        }
        if (SealLayout.isBegun(ByteBuffer.wrap(content))) {
            thrownAway.add(disk.describe(file) + " " + wrong);
        }
        return new SealTable(layout, base, layout.empty(base), false);
    }

    /// Files that made no sense, since the last call; what is written next replaces them.
    List<String> takeThrownAway() {
        List<String> taken = List.copyOf(thrownAway);
        thrownAway.clear();
        return taken;
    }

    /// The commit-log files that have seals, ascending.
    List<Long> bases() throws DiskFailed {
        List<Long> bases = new ArrayList<>();
        for (FileEntry entry : disk.list(SealLayout.FOLDER)) {
            long base = entry.folder() ? -1 : Names.offsetOf(entry.name());
            if (base >= 0 && base % layout.segmentBytes() == 0) {
                bases.add(base);
            }
        }
        return bases;
    }

    /// The end of the last sealed block at or above `from`, as a log offset; -1 when there is none.
    long sealedEnd(long from) throws DiskFailed {
        for (long base : bases().reversed()) {
            if (base + layout.segmentBytes() <= from) {
                return -1;
            }
            int end = table(base).sealedEnd();
            if (end > 0) {
                return base + layout.endOf(end - 1);
            }
        }
        return -1;
    }

    /// Takes the seals away of every block that reaches beyond a log offset, and of every file below `minOffset`, for
    /// certain: other bytes may stand there next.
    void cut(long minOffset, long logOffset) throws DiskFailed {
        for (long base : bases()) {
            if (base + layout.segmentBytes() <= logOffset && base >= minOffset) {
                continue;
            }
            if (base >= logOffset || base + layout.segmentBytes() <= minOffset) {
                drop(base);
            } else {
                SealTable table = table(base);
                boolean any = false;
                int first = layout.blockOf(Math.min(layout.segmentBytes(), logOffset - base));
                for (int block = first; block < layout.blockCount(); block++) {
                    if (table.isSealed(block) && base + layout.endOf(block) > logOffset) {
                        table.open(block);
                        any = true;
                    }
                }
                if (any) {
                    check(table.write(disk));
                    check(disk.syncNow(SealLayout.fileAt(base)));
                }
            }
        }
    }

    /// Deletes the seals of one commit-log file, for certain.
    private void drop(long base) throws DiskFailed {
        kept.removeIf(table -> table.base() == base);
        check(disk.delete(SealLayout.fileAt(base)));
        check(disk.syncFolder(SealLayout.FOLDER));
    }

    /// Deletes the seals of files that retention has let go. A crash before it is certain leaves files that no
    /// log belongs to.
    void dropBelow(long minOffset) throws DiskFailed {
        kept.removeIf(table -> table.base() + layout.segmentBytes() <= minOffset);
        for (long base : bases()) {
            if (base + layout.segmentBytes() <= minOffset) {
                check(disk.delete(SealLayout.fileAt(base)));
            }
        }
    }

    private static void check(Done done) throws DiskFailed {
        if (done instanceof Done.Failed failed) {
            throw new DiskFailed(failed);
        }
    }
}
