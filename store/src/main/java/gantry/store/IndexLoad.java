package gantry.store;

import gantry.base.Notices;
import gantry.store.Disk.Done;
import gantry.store.Disk.FileEntry;
import gantry.wire.message.Check;
import gantry.wire.message.RecordView;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Looks at the files of the key index when the store is opened.
///
/// ```
///   our mark in the checkpoint:   files … mark's file │ counts up to the mark │ newer files: deleted
///   none, unclean stop:           files whose endMillis lies behind the checkpoint's indexMillis: deleted
///   none, clean stop:             every file counts
/// ```
/// Whatever is deleted here, or was lost, is indexed again from the log while the store serves.
///
/// For:   knowing which files count, how far, and from where the log is to be followed.
/// Owner: `Store.open`.
/// Never: reads more of a file than its header; touches what has another name than an index file.
final class IndexLoad {
    /// @param files those that count, by name
    /// @param current the file to go on with, if there is one
    /// @param position from where the log is to be followed
    record Loaded(
            NavigableMap<Long, IndexFile> files, @Nullable IndexFile current, long position) {}

    private final Disk disk;
    private final IndexLayout layout;
    private final Notices notices;
    private final Segments segments;
    private final long end;
    private final TreeMap<Long, IndexFile> files = new TreeMap<>();
    private boolean deleted;

    IndexLoad(Disk disk, IndexLayout layout, Notices notices, Segments segments, long end) {
        this.disk = disk;
        this.layout = layout;
        this.notices = notices;
        this.segments = segments;
        this.end = end;
    }

    /// @param mark null when a RocketMQ broker wrote last, or nobody
    /// @param reliedMillis of files of a RocketMQ broker, up to which storeMillis they count
    Loaded run(@Nullable IndexMark mark, long reliedMillis) throws DiskFailed {
        for (FileEntry entry : disk.list(IndexLayout.FOLDER)) {
            long name = entry.folder() ? -1 : IndexFile.nameOf(entry.name());
            if (name < 0) {
                notices.warn(disk.describe(new FileId(IndexLayout.FOLDER + "/" + entry.name()))
                        + " is no index file and is left alone.");
                continue;
            }
            load(name, entry.bytes(), mark, reliedMillis);
        }
        if (deleted && disk.syncFolder(IndexLayout.FOLDER) instanceof Done.Failed failed) {
            throw new DiskFailed(failed);
        }
        IndexFile current = files.isEmpty() ? null : files.lastEntry().getValue();
        return new Loaded(files, current, Math.clamp(position(mark, current), segments.minOffset(), end));
    }

    private void load(long name, long bytes, @Nullable IndexMark mark, long reliedMillis) throws DiskFailed {
        FileId file = IndexFile.idOf(name);
        IndexFile marked = mark == null ? null : mark.file();
        if (mark != null && (marked == null || name > marked.name())) {
            delete(file, null);
            return;
        }
        IndexHeader header = IndexFile.headerOnDisk(disk, file);
        String fault = fault(header, bytes);
        if (fault == null && header != null && marked != null && marked.name() == name) {
            fault = marked.header().growsInto(header) ? null : "its header is not the one that was written";
            header = marked.header();
        }
        if (fault != null || header == null) {
            delete(file, fault);
        } else if (mark == null && header.endMillis() > reliedMillis) {
            delete(file, null);
        } else {
            files.put(name, new IndexFile(name, header));
        }
    }

    private @Nullable String fault(@Nullable IndexHeader header, long bytes) {
        if (bytes != layout.fileBytes() || header == null) {
            return "it has " + bytes + " bytes instead of " + layout.fileBytes();
        }
        return header.fault(layout);
    }

    private void delete(FileId file, @Nullable String fault) throws DiskFailed {
        if (fault != null) {
            notices.warn(disk.describe(file) + " is of no use (" + fault
                    + ") and was deleted; its messages are indexed again.");
        }
        if (disk.delete(file) instanceof Done.Failed failed) {
            throw new DiskFailed(failed);
        }
        deleted = true;
    }

    private long position(@Nullable IndexMark mark, @Nullable IndexFile current) {
        if (current == null) {
            return segments.minOffset();
        }
        IndexFile marked = mark == null ? null : mark.file();
        return mark != null && marked != null && marked.name() == current.name()
                ? mark.logOffset()
                : behind(segments, current);
    }

    /// Where the log goes on behind the last message of a file.
    static long behind(Segments segments, IndexFile file) {
        long last = file.header().endOffset();
        Segment segment = segments.find(last);
        if (segment == null || !segment.take()) {
            return Math.max(last, segments.minOffset());
        }
        try {
            RecordView view = new RecordView();
            int at = (int) (last - segment.base());
            boolean there = view.wrap(segment.bytes(), at, segment.bytes().capacity(), false) == Check.OK
                    && view.logOffset() == last;
            return there ? last + view.size() : segment.base();
        } finally {
            segment.giveBack();
        }
    }
}
