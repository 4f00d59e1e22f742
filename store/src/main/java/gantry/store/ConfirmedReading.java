package gantry.store;

import gantry.wire.message.Check;
import gantry.wire.message.MessageLayout;
import gantry.wire.message.RecordView;
import java.nio.ByteBuffer;

/// Copies confirmed records out of the log.
///
/// For:   `Store.copyConfirmed`.
/// Owner: none (stateless); waits for the disk, so it runs where waiting is allowed.
/// Never: a record that is not what its checks say.
final class ConfirmedReading {
    private final Disk disk;

    ConfirmedReading(Disk disk) {
        this.disk = disk;
    }

    /// Records from `from` on that end at or below `confirmed`: as many as fit `mostBytes`, or the first alone.
    ConfirmedPiece read(Segments segments, long from, long confirmed, int mostBytes) {
        Segment segment = segments.find(from);
        if (segment == null || !segment.take()) {
            return new ConfirmedPiece.Gone();
        }
        try {
            return read(segment, from, confirmed, mostBytes);
        } catch (InternalError e) {
            return unreadable(segment, from, "the disk cannot read the message");
        } finally {
            segment.giveBack();
        }
    }

    private ConfirmedPiece read(Segment segment, long from, long confirmed, int mostBytes) {
        ByteBuffer bytes = segment.bytes();
        int at = (int) (from - segment.base());
        int stop = (int) Math.min(bytes.capacity(), confirmed - segment.base());
        RecordView view = new RecordView();
        int to = at;
        while (to < stop) {
            long place = segment.base() + to;
            if (!Mapped.isThere(bytes, to, Math.min(Mapped.endOfPage(to), stop) - to)) {
                return unreadable(segment, place, "the disk cannot read the message");
            }
            int size = bytes.capacity() - to < LogTail.BLANK_BYTES ? 0 : bytes.getInt(to);
            boolean isBlank = size > 0 && bytes.getInt(to + MessageLayout.MAGIC) == MessageLayout.MAGIC_BLANK;
            boolean begins = isBlank
                    ? size == bytes.capacity() - to
                    : size <= stop - to && StoredRecord.isAt(bytes, to, size, place);
            if (!begins) {
                return to == at ? new ConfirmedPiece.NoRecord() : copy(bytes, at, to);
            }
            if (size > LogReading.MOST_BYTES) {
                return unreadable(segment, place, "there is a record of " + size + " bytes");
            }
            if (to > at && to + size - at > mostBytes) {
                break;
            }
            if (!Mapped.isThere(bytes, to, size)) {
                return to == at ? unreadable(segment, place, "the disk cannot read the message") : copy(bytes, at, to);
            }
            Check check = isBlank ? Check.OK : view.wrap(bytes, to, stop, true);
            if (!check.isOk()) {
                return to == at ? unreadable(segment, place, "the message is damaged, " + check) : copy(bytes, at, to);
            }
            to += size;
        }
        return to == at ? new ConfirmedPiece.NoRecord() : copy(bytes, at, to);
    }

    private static ConfirmedPiece copy(ByteBuffer bytes, int from, int to) {
        return new ConfirmedPiece.Whole(
                ByteBuffer.allocate(to - from).put(bytes.slice(from, to - from)).flip());
    }

    private ConfirmedPiece unreadable(Segment segment, long place, String what) {
        return new ConfirmedPiece.Unreadable(
                disk.describe(segment.file()) + ": " + what + " at byte " + (place - segment.base()));
    }
}
