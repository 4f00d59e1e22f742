package gantry.store;

import gantry.store.Disk.Done;
import gantry.store.Disk.FileEntry;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Takes away files of the key index that tell of messages which are cut off the log.
///
/// ```
///   slot ─▶ entry n, of a cut message ─▶ previous …      other messages would get entry n, and this chain would end
///                                                        in theirs
/// ```
/// An entry that counts may lie above the place of the cut only where more was indexed than the cut leaves confirmed,
/// so as a rule nothing is deleted. What is deleted is indexed again from the log while the store serves.
///
/// For:   a cut of the log, before it.
/// Owner: `LogCut`.
/// Never: a file that no slot leads above the cut from.
final class IndexCut {
    private static final int PIECE_BYTES = 1 << 16;

    private final Disk disk;
    private final IndexLayout layout;
    private final @Nullable IndexFile marked;
    private final boolean isMarked;
    private final long end;

    /// @param mark null when the files tell for themselves how far they count
    IndexCut(Disk disk, IndexLayout layout, @Nullable IndexMark mark, long end) {
        this.disk = disk;
        this.layout = layout;
        this.marked = mark == null ? null : mark.file();
        this.isMarked = mark != null;
        this.end = end;
    }

    void run() throws DiskFailed {
        boolean deleted = false;
        for (FileEntry entry : disk.list(IndexLayout.FOLDER)) {
            long name = entry.folder() ? -1 : IndexFile.nameOf(entry.name());
            if (name >= 0 && tellsOfCut(name, entry.bytes())) {
                check(disk.delete(IndexFile.idOf(name)));
                deleted = true;
            }
        }
        if (deleted) {
            check(disk.syncFolder(IndexLayout.FOLDER));
        }
    }

    private boolean tellsOfCut(long name, long bytes) throws DiskFailed {
        IndexFile newest = marked;
        if (isMarked && (newest == null || name > newest.name())) {
            // It does not count, and is deleted at the next start anyway.
            return true;
        }
        FileId file = IndexFile.idOf(name);
        IndexHeader header =
                newest != null && newest.name() == name ? newest.header() : IndexFile.headerOnDisk(disk, file);
        if (bytes != layout.fileBytes() || header == null || header.fault(layout) != null) {
            return false;
        }
        return header.endOffset() >= end || leadsAbove(file, header.nextEntry());
    }

    /// Slots may be ahead of what counts, because they are written first.
    private boolean leadsAbove(FileId file, int from) throws DiskFailed {
        ByteBuffer piece = ByteBuffer.allocate(PIECE_BYTES);
        ByteBuffer logOffset = ByteBuffer.allocate(Long.BYTES);
        for (long at = layout.slotAt(0); at < layout.slotsEnd(); at += piece.limit()) {
            piece.clear().limit((int) Math.min(PIECE_BYTES, layout.slotsEnd() - at));
            check(disk.read(file, at, piece));
            piece.flip();
            while (piece.remaining() >= IndexLayout.SLOT_BYTES) {
                int number = piece.getInt();
                if (number >= from && number < layout.entries()) {
                    check(disk.read(file, layout.entryAt(number) + IndexLayout.ENTRY_LOG_OFFSET, logOffset.clear()));
                    if (logOffset.hasRemaining() || logOffset.getLong(0) >= end) {
                        return true;
                    }
                }
            }
            if (piece.limit() == 0) {
                return true;
            }
        }
        return false;
    }

    private static void check(Done done) throws DiskFailed {
        if (done instanceof Done.Failed failed) {
            throw new DiskFailed(failed);
        }
    }
}
