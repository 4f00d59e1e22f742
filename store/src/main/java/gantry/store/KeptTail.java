package gantry.store;

import gantry.store.Disk.Done;
import gantry.store.Disk.FileEntry;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What was cut off the log's end, kept aside in a file.
///
/// ```
///   gantrycut/00000000000000012288-20261130081500123          whole
///   gantrycut/00000000000000012288-20261130081500123.tmp      on its way; thrown away at the next cut
///             └─ logOffset ──────┘ └─ when, local time
///
///   logOffset                                           the last byte that was not zero
///   │ record │ record │ blank, zeros to the file's end │ record │ … │
/// ```
/// The content is the log's, byte for byte, across the edges of its files: a record of logOffset `n` stands at byte
/// `n - logOffset`. The name is given when the content is on disk, so a file without `.tmp` is whole.
///
/// For:   an operator who wants to see what was taken back; and an interrupted cut, which finds its own.
/// Owner: `LogCut`.
/// Never: read by a store that runs; more than `MOST_KEPT` of them after a cut has ended.
///
/// @param logOffset of its first byte
/// @param time 17 digits, as `IndexFile` names files
record KeptTail(long logOffset, long time, long bytes) {
    static final String FOLDER = "gantrycut";

    /// The oldest others are deleted.
    static final int MOST_KEPT = 4;

    private static final String DRAFT = ".tmp";
    private static final int PIECE_BYTES = 1 << 20;
    private static final int OFFSET_DIGITS = 20;
    private static final int TIME_DIGITS = 17;

    FileId file() {
        String digits = Long.toString(time);
        return new FileId(FOLDER + "/" + Names.ofOffset(logOffset) + "-"
                + "0".repeat(Math.max(0, TIME_DIGITS - digits.length())) + digits);
    }

    /// Those that are whole, oldest first.
    static List<KeptTail> all(Disk disk) throws DiskFailed {
        List<KeptTail> all = new ArrayList<>();
        for (FileEntry entry : disk.list(FOLDER)) {
            String name = entry.name();
            if (entry.folder() || name.length() != OFFSET_DIGITS + 1 + TIME_DIGITS) {
                continue;
            }
            long offset = Names.offsetOf(name.substring(0, OFFSET_DIGITS));
            long time = IndexFile.nameOf(name.substring(OFFSET_DIGITS + 1));
            if (offset >= 0 && time >= 0 && name.charAt(OFFSET_DIGITS) == '-') {
                all.add(new KeptTail(offset, time, entry.bytes()));
            }
        }
        all.sort(Comparator.comparingLong(KeptTail::time).thenComparingLong(KeptTail::logOffset));
        return all;
    }

    /// One that begins with what the log has from `from` to `to`: an interrupted cut has kept it already.
    static @Nullable KeptTail find(Disk disk, Segments segments, long from, long to) throws DiskFailed {
        for (KeptTail kept : all(disk).reversed()) {
            if (kept.logOffset == from && kept.bytes >= to - from && kept.beginsWith(disk, segments, to)) {
                return kept;
            }
        }
        return null;
    }

    private boolean beginsWith(Disk disk, Segments segments, long to) throws DiskFailed {
        ByteBuffer ours = ByteBuffer.allocate(PIECE_BYTES);
        ByteBuffer logs = ByteBuffer.allocate(PIECE_BYTES);
        for (long at = logOffset; at < to; at += logs.limit()) {
            readLog(disk, segments, at, to, logs);
            ours.clear().limit(logs.limit());
            check(disk.read(file(), at - logOffset, ours));
            if (!ours.flip().equals(logs)) {
                return false;
            }
        }
        return true;
    }

    /// Copies a part of the log, for certain. What a failure leaves is taken away again.
    static KeptTail keep(Disk disk, Segments segments, long from, long to, long wallMillis) throws DiskFailed {
        removeDrafts(disk);
        List<KeptTail> others = all(disk);
        // Clocks go back, and two cuts may come in one millisecond.
        long notBefore = others.isEmpty() ? 0 : others.getLast().time + 1;
        KeptTail kept = new KeptTail(from, Math.max(notBefore, IndexFile.nameAt(wallMillis)), to - from);
        FileId draft = new FileId(kept.file().path() + DRAFT);
        try {
            check(disk.create(draft, to - from));
            ByteBuffer piece = ByteBuffer.allocate(PIECE_BYTES);
            for (long at = from; at < to; at += piece.limit()) {
                readLog(disk, segments, at, to, piece);
                check(disk.write(draft, at - from, piece));
            }
            check(disk.syncNow(draft));
            check(disk.rename(draft, kept.file()));
            check(disk.syncFolder(FOLDER));
        } catch (DiskFailed e) {
            // Fails too, perhaps; then the next cut takes it away.
            disk.delete(draft);
            throw e;
        }
        return kept;
    }

    private static void removeDrafts(Disk disk) throws DiskFailed {
        for (FileEntry entry : disk.list(FOLDER)) {
            if (!entry.folder() && entry.name().endsWith(DRAFT)) {
                check(disk.delete(new FileId(FOLDER + "/" + entry.name())));
            }
        }
    }

    /// Deletes the oldest, until no more are left than there may be.
    static void prune(Disk disk) throws DiskFailed {
        List<KeptTail> all = all(disk);
        for (int i = 0; i < all.size() - MOST_KEPT; i++) {
            check(disk.delete(all.get(i).file()));
        }
    }

    /// Up to the edge of a file, at most a piece; the buffer is ready to be read.
    private static void readLog(Disk disk, Segments segments, long at, long to, ByteBuffer into) throws DiskFailed {
        long base = at - at % segments.segmentBytes();
        long end = Math.min(to, base + segments.segmentBytes());
        into.clear().limit((int) Math.min(PIECE_BYTES, end - at));
        check(disk.read(Segments.fileAt(base), at - base, into));
        if (into.hasRemaining()) {
            throw new DiskFailed(new Done.Failed(
                    Done.Kind.IO,
                    disk.describe(Segments.fileAt(base)) + " ends at byte " + (at - base + into.position())));
        }
        into.flip();
    }

    private static void check(Done done) throws DiskFailed {
        if (done instanceof Done.Failed failed) {
            throw new DiskFailed(failed);
        }
    }
}
