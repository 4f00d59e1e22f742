package gantry.store;

import gantry.base.Lease;
import gantry.base.Offload;
import gantry.base.Sequencer;
import gantry.wire.message.MessageLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Gives the log as it is stored, without copying it.
///
/// ```
///   │ files … │ window: fetched │ the next │ …         │ written lately │ end
///               └─ in place       └─ fetched while the second half of the one before is read
///                                            └─ elsewhere: Later, fetched outside: a new window ─▶ readable
/// ```
/// For:   whoever sends the log to others, most of them near its end, some far behind.
/// Owner: the log sequencer; windows are fetched outside.
/// Never: waits for a page that nobody has touched lately; fetches more than `MOST_WINDOWS` at a time.
final class LogReading {
    /// What was written last is in the page cache, unless the machine is very short of memory.
    static final long LATELY_BYTES = 16 << 20;

    /// What is fetched at once.
    static final int WINDOW_BYTES = 4 << 20;

    /// Two for each that is far behind.
    static final int MOST_WINDOWS = 16;

    /// A piece is smaller than this, or is one record: so is every record, and every unused end of a file.
    static final int MOST_BYTES = 8 << 20;

    /// Files are kept for whoever reads them for so long after his last look.
    private static final long KEPT_NANOS = 10_000_000_000L;

    private static final LogPiece LATER = new LogPiece.Later();

    private static final class Window {
        final Segment segment;
        long from;
        long to;
        boolean fetched;

        @Nullable
        String fault;

        long usedNanos;

        Window(Segment segment, long from, long nowNanos) {
            this.segment = segment;
            this.from = from;
            this.to = from;
            this.usedNanos = nowNanos;
        }
    }

    private final Disk disk;
    private final Offload offload;
    private final Sequencer sequencer;
    private final Lease session;
    private final SegmentShelf shelf;
    private final LogTail tail;
    private final Runnable readable;
    private final long openedAt;
    private final List<Window> windows = new ArrayList<>();
    private @Nullable Segment lent;

    /// @param readable runs inside when a window has been fetched
    LogReading(
            Disk disk,
            Offload offload,
            Sequencer sequencer,
            Lease session,
            SegmentShelf shelf,
            LogTail tail,
            Runnable readable) {
        this.disk = disk;
        this.offload = offload;
        this.sequencer = sequencer;
        this.session = session;
        this.shelf = shelf;
        this.tail = tail;
        this.readable = readable;
        this.openedAt = tail.end();
    }

    LogPiece read(long from, long to, int maxBytes, long nowNanos) {
        giveBack();
        Segment segment = shelf.read().find(from);
        if (segment == null || from >= Math.min(to, tail.end()) || !segment.take()) {
            return new LogPiece.Unreadable("the log has nothing from " + from + " to " + to);
        }
        lent = segment;
        long stop = Math.min(
                Math.min(to, tail.end()), segment.base() + segment.bytes().capacity());
        if (from >= Math.max(openedAt, tail.end() - LATELY_BYTES)) {
            return cut(segment, from, stop, maxBytes);
        }
        Window window = windowAt(from);
        if (window == null) {
            fetch(segment, from, stop, nowNanos);
            return LATER;
        }
        window.usedNanos = nowNanos;
        if (!window.fetched) {
            return LATER;
        }
        String fault = window.fault;
        if (fault != null) {
            windows.remove(window);
            return new LogPiece.Unreadable(fault);
        }
        int size = sizeAt(segment, from, stop);
        if (size > 0 && from + size > window.to && window.to < stop) {
            Window next = windowFrom(window.to);
            if (next == null) {
                fetch(segment, window.to, stop, nowNanos);
            }
            if (next == null || !next.fetched) {
                return LATER;
            }
            windows.remove(next);
            if (next.fault != null) {
                windows.remove(window);
                return new LogPiece.Unreadable(next.fault);
            }
            window.from = from;
            window.to = next.to;
        }
        boolean nearsItsEnd = window.to - from <= WINDOW_BYTES / 2 && window.to < stop;
        if (nearsItsEnd && windows.size() < MOST_WINDOWS && windowFrom(window.to) == null) {
            fetch(segment, window.to, stop, nowNanos);
        }
        return cut(segment, from, Math.min(stop, window.to), maxBytes);
    }

    /// What was lent may go.
    void giveBack() {
        Segment before = lent;
        if (before != null) {
            lent = null;
            before.giveBack();
        }
    }

    /// Retention leaves the log from here on.
    long keptFrom(long nowNanos) {
        long kept = Long.MAX_VALUE;
        for (Iterator<Window> each = windows.iterator(); each.hasNext(); ) {
            Window window = each.next();
            if (nowNanos - window.usedNanos >= KEPT_NANOS && window.fetched) {
                each.remove();
            } else {
                kept = Math.min(kept, window.from);
            }
        }
        return kept;
    }

    private @Nullable Window windowAt(long from) {
        // Whoever has read one to its end goes on behind it.
        windows.removeIf(window -> window.fetched && window.to == from && window.from < from);
        for (Window window : windows) {
            if (from == window.from || (from > window.from && from < window.to)) {
                return window;
            }
        }
        return null;
    }

    private @Nullable Window windowFrom(long from) {
        for (Window window : windows) {
            if (window.from == from) {
                return window;
            }
        }
        return null;
    }

    private void fetch(Segment segment, long from, long stop, long nowNanos) {
        if (windows.size() == MOST_WINDOWS && !dropOldest()) {
            return;
        }
        Window window = new Window(segment, from, nowNanos);
        windows.add(window);
        offload.run(() -> {
            if (!session.take()) {
                return;
            }
            try {
                long to = touch(segment, from, stop);
                sequencer.submitAlways(() -> fetched(window, to));
            } finally {
                session.giveBack();
            }
        });
    }

    /// One that is still being fetched tells when it is there; then everybody may try again.
    private boolean dropOldest() {
        Window oldest = null;
        for (Window window : windows) {
            if (window.fetched && (oldest == null || window.usedNanos - oldest.usedNanos < 0)) {
                oldest = window;
            }
        }
        return oldest != null && windows.remove(oldest);
    }

    /// Outside of the sequencer: waits for the disk.
    ///
    /// @return up to where it is in memory; `from` when the disk cannot read it
    private static long touch(Segment segment, long from, long stop) {
        if (!segment.take()) {
            return from;
        }
        try {
            int at = (int) (from - segment.base());
            int end = (int) (stop - segment.base());
            if (!Mapped.isThere(segment.bytes(), at, Math.min(end - at, WINDOW_BYTES))) {
                return from;
            }
            int size = sizeAt(segment, from, stop);
            int wanted = Math.min(end - at, Math.max(WINDOW_BYTES, size));
            return Mapped.isThere(segment.bytes(), at, wanted) ? from + wanted : from;
        } finally {
            segment.giveBack();
        }
    }

    private void fetched(Window window, long to) {
        window.fetched = true;
        window.to = to;
        if (to == window.from) {
            window.fault = disk.describe(window.segment.file()) + ": the disk cannot read the messages at byte "
                    + (window.from - window.segment.base());
        }
        readable.run();
    }

    /// As many whole records as fit, or the first alone.
    private LogPiece cut(Segment segment, long from, long stop, int maxBytes) {
        long to = from;
        while (to < stop) {
            int size = sizeAt(segment, to, stop);
            if (size <= 0 || (to > from && to + size - from > maxBytes)) {
                break;
            }
            to += size;
        }
        if (to == from) {
            return new LogPiece.Unreadable(disk.describe(segment.file()) + ": at byte " + (from - segment.base())
                    + " there is no whole message that ends before log offset " + stop);
        }
        return new LogPiece.Whole(segment.bytes().slice((int) (from - segment.base()), (int) (to - from)));
    }

    /// The size of the record or blank that starts there; 0 when none does, or it does not end before `stop`.
    private static int sizeAt(Segment segment, long logOffset, long stop) {
        ByteBuffer bytes = segment.bytes();
        int at = (int) (logOffset - segment.base());
        int left = bytes.capacity() - at;
        if (left < LogTail.BLANK_BYTES) {
            return 0;
        }
        int size = bytes.getInt(at);
        boolean blank = bytes.getInt(at + MessageLayout.MAGIC) == MessageLayout.MAGIC_BLANK;
        boolean good = blank ? size == left : size <= left && StoredRecord.isAt(bytes, at, size, logOffset);
        return good && size <= MOST_BYTES && logOffset + size <= stop ? size : 0;
    }
}
