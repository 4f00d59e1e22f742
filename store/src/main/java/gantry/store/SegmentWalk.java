package gantry.store;

import gantry.base.Network;
import gantry.store.Disk.Done;
import gantry.wire.message.Check;
import gantry.wire.message.MessageLayout;
import gantry.wire.message.RecordView;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Walks over one file of the commit log by reading it, and goes on behind what is damaged.
///
/// ```
///   │ record │ record │ ▒▒ damaged ▒▒ │ record │ record │ blank │        a full file
///   │ record │ record │ 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 │        the last one
///            RECORD   DAMAGE          RECORD   RECORD   END
/// ```
/// For:   looking at every byte of a log whether anybody still reads it or not: offline, by the scrubber, and where a
///        recovery must get past a bad place.
/// Owner: whoever made it; `view` and `damage` stand for the last step.
/// Never: mappings: a place that the disk cannot read is a value here, and the rest of the file goes on.
///
/// A place from which messages go on must hold a whole record that claims this very place, stored no earlier than what
/// was seen before. A record is stepped over by its own size if something whole follows it there: only when its size
/// makes no sense is every byte a candidate, so that a message's body is not searched for messages without need.
final class SegmentWalk {
    enum Step {
        /// A whole record; see `view`.
        RECORD,
        /// Something else; see `damage`.
        DAMAGE,
        /// The file has no further messages; see `place`.
        END
    }

    private static final int WINDOW_BYTES = 1 << 20;
    private static final int PIECE_BYTES = 4096;

    /// More pieces that cannot be read are only counted as what they read as: zeros.
    private static final int MOST_UNREADABLE = 4096;

    private static final byte MAGIC_FIRST = (byte) (MessageLayout.MAGIC_V1 >>> 24);

    private final Disk disk;
    private final FileId file;
    private final long base;
    private final long fileBytes;
    private final boolean seeksHoles;
    private final RecordView view = new RecordView();
    private ByteBuffer window = ByteBuffer.allocate(WINDOW_BYTES);
    private long windowStart;
    private int windowBytes;
    private long place;
    private long recordPlace;
    private long lastMillis;
    private boolean ended;
    private @Nullable Damage damage;
    private boolean isHole;

    /// Pieces that could not be read, by their place.
    private final TreeMap<Long, String> unreadable = new TreeMap<>();

    /// @param base the log offset of the file's first byte
    /// @param fileBytes how long the file should be; what it does not have reads as zero
    /// @param seeksHoles whether a loss of power may have left holes; where everything was on disk there are none
    SegmentWalk(Disk disk, FileId file, long base, long fileBytes, boolean seeksHoles) {
        this.seeksHoles = seeksHoles;
        this.disk = disk;
        this.file = file;
        this.base = base;
        this.fileBytes = fileBytes;
    }

    /// Goes on at a byte of the file where a record starts, or should.
    ///
    /// @param notBefore the storeMillis of what lies before
    SegmentWalk from(long place, long notBefore) {
        this.place = place;
        this.lastMillis = notBefore;
        this.ended = false;
        return this;
    }

    /// @throws DiskFailed only when the file cannot be opened; a part of it that cannot be read is damage
    Step next() throws DiskFailed {
        if (ended || fileBytes - place < LogTail.BLANK_BYTES) {
            return end(ended ? place : fileBytes);
        }
        String fault = faultAt(place);
        if (fault == null) {
            if (isBlank(place)) {
                return end(fileBytes);
            }
            recordPlace = place;
            place += view.size();
            lastMillis = Math.max(lastMillis, view.storeMillis());
            return Step.RECORD;
        }
        return goBehind(fault);
    }

    /// The record of the last step; its indices count from somewhere else than the file's begin.
    RecordView view() {
        return view;
    }

    /// The log offset of the record of the last step.
    long logOffset() {
        return base + recordPlace;
    }

    Damage damage() {
        Damage last = damage;
        if (last == null) {
            throw new IllegalStateException("the last step was no damage");
        }
        return last;
    }

    /// Whether the last step's damage is that the disk could not read it.
    boolean isUnreadable() {
        return isHole;
    }

    /// The byte of the file at which the next step begins; after `END` where messages end.
    long place() {
        return place;
    }

    /// Whether no message follows on the last step's damage in this file.
    boolean isAtEnd() {
        return ended;
    }

    /// Whether the eight bytes at a place are zero.
    boolean isZeroAt(long at) throws DiskFailed {
        load(at, Long.BYTES);
        return window.getLong(index(at)) == 0;
    }

    /// The latest storeMillis that was seen.
    long lastMillis() {
        return lastMillis;
    }

    private Step end(long at) {
        ended = true;
        place = at;
        return Step.END;
    }

    private Step goBehind(String fault) throws DiskFailed {
        long from = place;
        String message = describeMessage();
        boolean empty = window.getInt(index(from)) == 0;
        long next = bySize(from);
        next = next >= 0 ? next : search(from + 1);
        if (next < 0) {
            ended = true;
            next = Math.max(from, lastNonZero(from) + 1);
            Map.Entry<Long, String> last = unreadable.lastEntry();
            if (last != null && last.getKey() + PIECE_BYTES > from) {
                next = Math.min(fileBytes, Math.max(next, last.getKey() + PIECE_BYTES));
            }
            if (empty && next == from) {
                return Step.END;
            }
        }
        Map.Entry<Long, String> hole = unreadable.lowerEntry(next);
        isHole = hole != null && hole.getKey() + PIECE_BYTES > from;
        String what = isHole ? "something that cannot be read (" + hole.getValue() + ")" : fault;
        damage = new Damage(file, from, next, what, message);
        place = ended ? from : next;
        return Step.DAMAGE;
    }

    /// Where the next record stands if the damaged one's size is to be believed; -1 when nothing bears it out.
    private long bySize(long from) throws DiskFailed {
        load(from, LogTail.BLANK_BYTES);
        long size = window.getInt(index(from));
        long next = from + size;
        if (size < MessageLayout.EMPTY_BYTES || size > Network.MAX_FRAME_BYTES || next > fileBytes) {
            return -1;
        }
        if (fileBytes - next < LogTail.BLANK_BYTES) {
            return -1;
        }
        return isGoodPlace(next) ? next : -1;
    }

    /// A record, or the file's rightful end.
    private boolean isGoodPlace(long at) throws DiskFailed {
        return faultAt(at) == null && (isBlank(at) || view.storeMillis() >= lastMillis);
    }

    /// Looks at every byte for a record that claims to stand there.
    private long search(long from) throws DiskFailed {
        int needed = MessageLayout.LOG_OFFSET + Long.BYTES;
        long at = from;
        while (fileBytes - at >= needed) {
            load(at, needed);
            long last = windowStart + windowBytes - needed;
            at = nextCandidate(at, last);
            if (at <= last) {
                if (isGoodPlace(at)) {
                    return at;
                }
                at++;
            }
        }
        return -1;
    }

    /// The first place up to `last` that has a magic and its own log offset; `last + 1` when there is none.
    private long nextCandidate(long from, long last) {
        byte[] bytes = window.array();
        int end = index(last) + MessageLayout.MAGIC;
        for (int i = index(from) + MessageLayout.MAGIC; i <= end; i++) {
            if (bytes[i] == MAGIC_FIRST && isCandidate(i - MessageLayout.MAGIC)) {
                return windowStart + i - MessageLayout.MAGIC;
            }
        }
        return last + 1;
    }

    private boolean isCandidate(int at) {
        int magic = window.getInt(at + MessageLayout.MAGIC);
        return (magic == MessageLayout.MAGIC_V1 || magic == MessageLayout.MAGIC_V2)
                && window.getLong(at + MessageLayout.LOG_OFFSET) == base + windowStart + at;
    }

    /// The last byte that is not zero, -1 when there is none.
    private long lastNonZero(long from) throws DiskFailed {
        long last = -1;
        for (long at = from; at < fileBytes; at = windowStart + windowBytes) {
            load(at, 1);
            int found = lastNonZero(index(at), windowBytes);
            last = found < 0 ? last : windowStart + found;
        }
        return last;
    }

    private int lastNonZero(int from, int to) {
        int at = to;
        while (at - Long.BYTES >= from && window.getLong(at - Long.BYTES) == 0) {
            at -= Long.BYTES;
        }
        while (at > from && window.get(at - 1) == 0) {
            at--;
        }
        return at > from ? at - 1 : -1;
    }

    /// What is wrong at a place; null when a record stands there, or the blank that ends the file.
    private @Nullable String faultAt(long at) throws DiskFailed {
        load(at, LogTail.BLANK_BYTES);
        int claimed = window.getInt(index(at));
        int magic = window.getInt(index(at) + MessageLayout.MAGIC);
        if ((magic == MessageLayout.MAGIC_V1 || magic == MessageLayout.MAGIC_V2)
                && claimed > 0
                && claimed <= Math.min(Network.MAX_FRAME_BYTES, fileBytes - at)) {
            load(at, claimed);
        }
        int start = index(at);
        Check check = view.wrap(window, start, windowBytes, true);
        return switch (check) {
            case OK -> {
                if (view.logOffset() != base + at) {
                    yield "a message that belongs to log offset " + view.logOffset();
                }
                yield seeksHoles && TornCheck.isTorn(window, view) ? "a message with a hole" : null;
            }
            case BLANK -> claimed == fileBytes - at ? null : "an end of file that does not end there";
            default -> LogScan.faultOf(check);
        };
    }

    private boolean isBlank(long at) {
        return window.getInt(index(at) + MessageLayout.MAGIC) == MessageLayout.MAGIC_BLANK;
    }

    /// Whether the disk did not give a part of what was looked at.
    boolean metUnreadable() {
        return !unreadable.isEmpty();
    }

    /// Which message the last checked one says it is, if its parts are where they should be.
    @Nullable
    String describeMessage() {
        if (!view.hasParts()) {
            return null;
        }
        String topic = view.topic().replaceAll("[^ -~]", "?");
        return topic + "/" + view.queueId() + " offset " + view.queueOffset();
    }

    private int index(long at) {
        return (int) (at - windowStart);
    }

    /// Sees to it that the window holds `bytes` from a place on, or as many as the file has.
    private void load(long at, long bytes) throws DiskFailed {
        long to = Math.min(fileBytes, at + bytes);
        if (at >= windowStart && to <= windowStart + windowBytes) {
            return;
        }
        // At the begin of a sector, because `TornCheck` looks at sectors.
        windowStart = at / PIECE_BYTES * PIECE_BYTES;
        int wanted = (int) Math.min(fileBytes - windowStart, Math.max(WINDOW_BYTES, to - windowStart));
        if (window.capacity() < wanted) {
            window = ByteBuffer.allocate(wanted);
        }
        windowBytes = wanted;
        window.clear().limit(wanted);
        Done done = disk.read(file, windowStart, window);
        if (done instanceof Done.Failed failed) {
            if (failed.kind() == Done.Kind.MISSING) {
                throw new DiskFailed(failed);
            }
            loadByPieces(wanted);
        }
        Arrays.fill(window.array(), window.position(), wanted, (byte) 0);
        window.clear();
    }

    /// Pieces that cannot be read stay zero.
    private void loadByPieces(int wanted) {
        for (int i = 0; i < wanted; i += PIECE_BYTES) {
            int end = Math.min(wanted, i + PIECE_BYTES);
            Arrays.fill(window.array(), i, end, (byte) 0);
            window.limit(end).position(i);
            if (disk.read(file, windowStart + i, window) instanceof Done.Failed failed
                    && unreadable.size() < MOST_UNREADABLE) {
                unreadable.put(windowStart + i, failed.sentence());
            }
        }
        window.limit(wanted).position(wanted);
    }
}
