package gantry.store;

import gantry.base.Notices;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/// Looks after index files that are not written any more: a piece of work at each tick.
///
/// ```
///   at open:      each file: is what lies before it indexed? ── no: built into files between its neighbours
///   then:         each file is read through (again when a query has met something odd)
///                     └─ damaged: deleted, and the part of the log that it stood for is built again
/// ```
/// For:   index files that were lost, zeroed or garbled come back by themselves, while everything else goes on.
/// Owner: the index sequencer.
/// Never: the end of the log, which `KeyIndex` follows; more than a bounded piece at once.
final class IndexUpkeep {
    /// What is read of the log, or of a file, at each tick.
    private static final int BUILT_BYTES = 16 << 20;

    private static final int CHECKED_BYTES = 4 << 20;
    private static final long PROGRESS_NANOS = 10_000_000_000L;

    private final Disk disk;
    private final IndexLayout layout;
    private final IndexWriter writer;
    private final Notices notices;
    private final NavigableMap<Long, IndexFile> files;

    /// Names of files before which something may be missing, and of files that are to be read through.
    private final ArrayDeque<Long> gaps = new ArrayDeque<>();

    private final ArrayDeque<Long> unchecked = new ArrayDeque<>();
    private @Nullable IndexCheck check;
    private @Nullable IndexBuilder builder;
    private long builtFrom;
    private long builtTo;
    private boolean told;
    private long toldNanos;

    /// @param files all files that count, shared with `KeyIndex`
    IndexUpkeep(
            Disk disk, IndexLayout layout, IndexWriter writer, Notices notices, NavigableMap<Long, IndexFile> files) {
        this.disk = disk;
        this.layout = layout;
        this.writer = writer;
        this.notices = notices;
        this.files = files;
        gaps.addAll(files.keySet());
        unchecked.addAll(files.keySet());
    }

    boolean isDone() {
        return builder == null && check == null && gaps.isEmpty() && unchecked.isEmpty();
    }

    /// A query has met something odd in it.
    void suspect(long name) {
        if ((check == null || check.name() != name) && !unchecked.contains(name)) {
            unchecked.add(name);
        }
    }

    /// A piece of work; waits for the disk.
    ///
    /// @param growing the name of the file at the log's end, -1 for none
    /// @return the name of a file that was found damaged, and is to be dropped now; -1 for none
    long step(Segments segments, long growing, long nowNanos) {
        if (builder != null || !gaps.isEmpty()) {
            build(segments, nowNanos);
            return -1;
        }
        IndexCheck under = check;
        if (under == null) {
            IndexFile file = unchecked.isEmpty() ? null : files.get(unchecked.poll());
            if (file == null) {
                return -1;
            }
            under = new IndexCheck(disk, layout, file, file.name() == growing);
            check = under;
        }
        if (!under.step(CHECKED_BYTES)) {
            return -1;
        }
        check = null;
        if (under.fault() == null || !files.containsKey(under.name())) {
            return -1;
        }
        notices.warn(disk.describe(IndexFile.idOf(under.name())) + " is damaged (" + under.fault()
                + ") and is deleted; its messages are indexed again.");
        return under.name();
    }

    /// Its part of the log is to be built again, before the file behind it.
    void dropped(long name) {
        Map.Entry<Long, IndexFile> behind = files.higherEntry(name);
        if (behind != null) {
            gaps.add(behind.getKey());
        }
    }

    private void build(Segments segments, long nowNanos) {
        IndexBuilder now = builder;
        if (now == null) {
            now = begin(segments, gaps.remove());
            builder = now;
            toldNanos = nowNanos;
        }
        if (now == null) {
            return;
        }
        now.follow(segments, builtTo, BUILT_BYTES);
        boolean atEnd = now.position() >= builtTo;
        if (now.pending().count() > 0 && !told) {
            told = true;
            notices.info("The key index is built again for log offsets " + builtFrom + " to " + builtTo + ".");
        }
        boolean flushed = !(atEnd || now.pending().isFull()) || now.flush(Long.MAX_VALUE);
        if (!flushed || (atEnd && !now.seal())) {
            notices.alarm("A part of the key index could not be built again: " + now.failure()
                    + ". Key queries miss the messages from log offset " + builtFrom + " to " + builtTo
                    + " until the next start.");
            builder = null;
        } else if (atEnd) {
            if (now.current() != null) {
                notices.over("The key index is whole again for log offsets " + builtFrom + " to " + builtTo + ".");
            }
            builder = null;
        } else if (nowNanos - toldNanos >= PROGRESS_NANOS) {
            toldNanos = nowNanos;
            notices.info("The key index is built again: "
                    + 100 * (now.position() - builtFrom) / Math.max(1, builtTo - builtFrom) + " % of log offsets "
                    + builtFrom + " to " + builtTo + ".");
        }
    }

    private @Nullable IndexBuilder begin(Segments segments, long name) {
        IndexFile behind = files.get(name);
        if (behind == null) {
            return null;
        }
        Map.Entry<Long, IndexFile> before = files.lowerEntry(name);
        builtFrom = before == null ? segments.minOffset() : IndexLoad.behind(segments, before.getValue());
        builtTo = behind.header().beginOffset();
        told = false;
        if (builtFrom >= builtTo) {
            return null;
        }
        return new IndexBuilder(
                disk,
                layout,
                writer,
                millis -> nameBefore(name, millis),
                file -> files.put(file.name(), file),
                false,
                null,
                builtFrom);
    }

    private long nameBefore(long behind, long millis) {
        Long before = files.lowerKey(behind);
        long lowest = before == null ? 0 : before + 1;
        return lowest > behind - 1 ? -1 : Math.clamp(IndexFile.nameAt(millis), lowest, behind - 1);
    }
}
