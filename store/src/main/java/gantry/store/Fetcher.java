package gantry.store;

import gantry.store.Fetch.Status;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One fetch on its way.
///
/// For:   walking from a queue's entries to the bytes of the log, and handing those over without a copy.
/// Owner: the thread that fetches.
/// Never: entries at or above the queue's `maxOffset`, which lies below `confirmOffset`.
final class Fetcher {
    private static final int BLOCK_ENTRIES = 64;

    private final Log log;
    private final Disk disk;
    private final ConsumeQueue queue;
    private final FetchRequest request;
    private final @Nullable AheadBlock ahead;
    private final Missing missing;
    private final long min;
    private final long max;
    private final List<ByteBuffer> ranges = new ArrayList<>(2);
    private final List<Segment> taken = new ArrayList<>(1);
    private final TouchedPages pages = new TouchedPages();
    private @Nullable Segment segment;
    private long rangeStart;
    private long rangeEnd;
    private int messageCount;
    private int sizeBytes;
    private boolean metDropped;
    /// Retention was faster: the entry's file went while this fetch was on its way.
    private boolean gone;
    private @Nullable String damage;
    private long suspect = -1;
    private long suspectOffset;

    /// @param ahead where it begins and ends; null: the entries are read
    Fetcher(Log log, Disk disk, ConsumeQueue queue, FetchRequest request, @Nullable AheadBlock ahead) {
        this.log = log;
        this.disk = disk;
        this.queue = queue;
        this.request = request;
        this.ahead = ahead;
        this.missing = queue.missing();
        this.min = queue.minOffset();
        this.max = queue.maxOffset();
    }

    /// What is wrong with the bytes that were met; null when nothing is.
    @Nullable
    String damage() {
        return damage;
    }

    /// Where in the log a message should start, and none does; -1 when there is no such place.
    long suspect() {
        return suspect;
    }

    /// The queueOffset of `suspect`.
    long suspectOffset() {
        return suspectOffset;
    }

    Fetch run(FetchSink sink) {
        long from = request.queueOffset();
        if (max == 0) {
            return nothing(Status.NO_MESSAGE_IN_QUEUE, 0);
        }
        if (from < min) {
            return nothing(Status.OFFSET_TOO_SMALL, min);
        }
        if (from >= max) {
            return from == max ? nothing(Status.NO_NEW, from) : nothing(Status.OVERFLOW_BADLY, max);
        }
        if (missing.covers(from)) {
            return nothing(Status.REBUILDING, from);
        }
        try {
            return collectAndGive(from, sink);
        } catch (InternalError e) {
            damage = cannotBeRead();
            return nothing(Status.UNREADABLE, from);
        } finally {
            for (Segment held : taken) {
                held.giveBack();
            }
        }
    }

    private Fetch collectAndGive(long from, FetchSink sink) {
        long next = collect(from);
        closeRange();
        if (messageCount > 0) {
            Fetch found = new Fetch(Status.FOUND, next, min, max, messageCount, sizeBytes);
            sink.found(found, ranges);
            return found;
        }
        if (damage != null) {
            return nothing(Status.UNREADABLE, from);
        }
        if (gone) {
            return nothing(Status.OFFSET_TOO_SMALL, queue.minOffset());
        }
        return nothing(metDropped ? Status.MESSAGE_WAS_REMOVING : Status.NO_MATCHED_MESSAGE, next);
    }

    /// The virtual machine says late, and not where, that a mapped page could not be read.
    private String cannotBeRead() {
        Segment last = taken.isEmpty() ? null : taken.getLast();
        return (last == null ? "a commit-log file" : disk.describe(last.file()))
                + ": the disk cannot read bytes of messages from offset " + request.queueOffset() + " of queue " + queue
                + " on";
    }

    /// @return the offset behind the last entry that was dealt with
    private long collect(long from) {
        long end = Math.min(max, from + Math.max(1, request.maxScannedEntries()));
        end = from < missing.from() ? Math.min(end, missing.from()) : end;
        Entries entries;
        if (ahead == null) {
            entries = new Entries(disk, queue, (int) Math.min(BLOCK_ENTRIES, end - from));
        } else {
            end = Math.min(end, ahead.end());
            entries = new Entries(disk, ahead);
        }
        int wantedCount = Math.max(1, request.maxMessages());
        for (long offset = from; offset < end; offset++) {
            if (!entries.moveTo(offset, end)) {
                gone = offset < queue.minOffset();
                damage = gone ? null : entries.failure();
                return offset;
            }
            if (entries.isFiller()) {
                metDropped = true;
                continue;
            }
            if (entries.size() <= 0) {
                // Its tags code is no more to be believed than its size: it must not pass for an unwanted message.
                damage = disk.describe(queue.files.fileOf(offset)) + ": entry " + offset + " of queue " + queue
                        + " is empty";
                return offset;
            }
            if (!request.tags().wants(entries.tagsCode())) {
                continue;
            }
            int size = entries.size();
            if (messageCount > 0 && sizeBytes + (long) size > request.maxBytes()) {
                return offset;
            }
            if (!take(entries.logOffset(), size, offset)) {
                if (damage != null) {
                    return offset;
                }
                metDropped = true;
                continue;
            }
            if (++messageCount == wantedCount) {
                return offset + 1;
            }
        }
        return end;
    }

    /// @return false when the record is gone, or (with `damage` set) not what the entry says
    private boolean take(long logOffset, int size, long queueOffset) {
        Segment holder = segment;
        if (holder == null || logOffset != rangeEnd || !holds(holder, logOffset)) {
            closeRange();
            holder = enter(logOffset);
            if (holder == null) {
                return false;
            }
            segment = holder;
            rangeStart = logOffset;
        }
        int at = (int) (logOffset - holder.base());
        if (size <= holder.bytes().capacity() - at && !pages.areThere(holder, at, size)) {
            damage = disk.describe(holder.file()) + ": the disk cannot read the " + size + " bytes at " + at
                    + ", message " + queueOffset + " of queue " + queue;
            return false;
        }
        if (!StoredRecord.isAt(holder.bytes(), at, size, logOffset)) {
            if (log.isLost(logOffset)) {
                return false;
            }
            suspect = logOffset;
            suspectOffset = queueOffset;
            damage = disk.describe(holder.file()) + ": at byte " + at + " there is no message of " + size
                    + " bytes, as entry " + queueOffset + " of queue " + queue + " says";
            return false;
        }
        rangeEnd = logOffset + size;
        sizeBytes += size;
        return true;
    }

    private static boolean holds(Segment segment, long logOffset) {
        return logOffset < segment.base() + segment.bytes().capacity();
    }

    private @Nullable Segment enter(long logOffset) {
        Segment found = log.segments().find(logOffset);
        if (found == null) {
            return null;
        }
        if (!taken.contains(found)) {
            if (!found.take()) {
                return null;
            }
            taken.add(found);
        }
        return found;
    }

    private void closeRange() {
        Segment holder = segment;
        if (holder != null && rangeEnd > rangeStart) {
            ranges.add(holder.bytes().slice((int) (rangeStart - holder.base()), (int) (rangeEnd - rangeStart)));
        }
        segment = null;
        rangeStart = 0;
        rangeEnd = 0;
    }

    private Fetch nothing(Status status, long next) {
        return new Fetch(status, next, min, max, 0, 0);
    }
}
