package gantry.store;

import gantry.store.Disk.Done;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Reads parts of the log ahead of somebody who looks at them in a mapping.
///
/// For:   a walk over the log that may meet a place which the disk cannot read: `Disk.read` says so in a sentence.
/// Owner: one walk.
/// Never: keeps what it has read.
final class ReadProbe {
    private static final int AHEAD_BYTES = 256 << 10;

    private final Disk disk;
    private @Nullable ByteBuffer scratch;
    private @Nullable Segment segment;
    private long from;
    private long to;

    ReadProbe(Disk disk) {
        this.disk = disk;
    }

    /// What the disk says about these bytes of a file; null when it has given them.
    @Nullable
    String unreadable(Segment wanted, long place, long length) {
        long end = place + length;
        if (wanted == segment && place >= from && end <= to) {
            return null;
        }
        long ahead = Math.min(wanted.bytes().capacity(), Math.max(end, place + AHEAD_BYTES));
        String failure = read(wanted, place, ahead);
        if (failure != null && ahead > end) {
            ahead = end;
            failure = read(wanted, place, end);
        }
        if (failure == null) {
            segment = wanted;
            from = place;
            to = ahead;
        }
        return failure;
    }

    private @Nullable String read(Segment wanted, long place, long end) {
        ByteBuffer bytes = scratch == null ? ByteBuffer.allocate(AHEAD_BYTES) : scratch;
        scratch = bytes;
        for (long at = place; at < end; at += AHEAD_BYTES) {
            int wish = (int) Math.min(AHEAD_BYTES, end - at);
            bytes.clear().limit(wish);
            Done done = disk.read(wanted.file(), at, bytes);
            if (done instanceof Done.Failed failed) {
                return failed.sentence();
            }
            if (bytes.hasRemaining()) {
                return disk.describe(wanted.file()) + " ends at byte " + (at + bytes.position());
            }
        }
        return null;
    }
}
