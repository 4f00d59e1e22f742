package gantry.store;

import gantry.base.Invariant;
import gantry.store.Disk.Done;
import gantry.wire.message.MessageLayout;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// Looks at a part of the settled log: whether it is what was written, and what its digest is.
///
/// For:   comparing members of a group, and giving to one what has changed on its disk.
/// Owner: the scrubber's work, one at a time; waits for the disk.
/// Never: changes anything; looks above `settled`, or over the edge of a file.
final class RangeReader {
    /// Nothing longer is looked at or mended at once: a message of any size fits.
    static final int MOST_BYTES = 16 << 20;

    /// So far back the message before a place is looked for first.
    private static final int NEAR_BYTES = 64 << 10;

    private static final int FARTHER = 16;

    private final Disk disk;
    private final @Nullable Seals seals;

    /// @param seals null where blocks are not sealed
    RangeReader(Disk disk, @Nullable Seals seals) {
        this.disk = disk;
        this.seals = seals;
    }

    /// What a walk over messages has come to.
    ///
    /// @param to the end of the last sound message that was taken
    /// @param damage what stands there instead of the next, when that is why it ended
    /// @param goesOn where messages go on behind the damage
    record Walked(long to, @Nullable Damage damage, long goesOn) {}

    RangeLook look(Segments segments, long settled, RangeAsk ask) {
        Segment segment = ask.from() < segments.minOffset() || ask.from() >= settled ? null : segments.find(ask.from());
        if (segment == null) {
            return new RangeLook.Gone();
        }
        long end = endOf(segment, settled);
        if (ask.whole() && (ask.to() > end || ask.to() <= ask.from() || ask.to() - ask.from() > MOST_BYTES)) {
            return new RangeLook.Gone();
        }
        try {
            return ask.whole() ? lookAtAll(segment, end, ask) : lookAtNext(segment, end, ask);
        } catch (DiskFailed e) {
            // Retention takes files away.
            return e.failure().kind() == Done.Kind.MISSING
                    ? new RangeLook.Gone()
                    : new RangeLook.NotNow(e.failure().sentence());
        }
    }

    static long endOf(Segment segment, long settled) {
        return Math.min(segment.base() + segment.bytes().capacity(), settled);
    }

    private RangeLook lookAtAll(Segment segment, long end, RangeAsk ask) throws DiskFailed {
        ByteBuffer bytes = read(segment, ask.from(), ask.to());
        byte[] digest = bytes == null ? null : digest(bytes);
        Walked walked = walk(segment, end, ask.from(), ask.to(), Integer.MAX_VALUE);
        if (walked.damage() == null && walked.to() != ask.to()) {
            return noPlace(ask.to());
        }
        if (walked.damage() != null && walked.to() == ask.from() && !isEdge(segment, end, ask.from())) {
            return noPlace(ask.from());
        }
        String wrong = walked.damage() != null ? walked.damage().sentence(disk) : null;
        if (wrong == null) {
            wrong = changedBlock(segment, ask.from(), ask.to(), false);
        }
        if (wrong == null && bytes == null) {
            wrong = describe(segment) + ": from byte " + (ask.from() - segment.base()) + " on it cannot be read";
        }
        return wrong != null || digest == null
                ? new RangeLook.Rotten(ask.from(), ask.to(), String.valueOf(wrong), digest)
                : new RangeLook.Sound(ask.from(), ask.to(), digest, null);
    }

    private RangeLook lookAtNext(Segment segment, long end, RangeAsk ask) throws DiskFailed {
        Walked walked = walk(segment, end, ask.from(), Math.min(ask.to(), end), Math.min(ask.mostBytes(), MOST_BYTES));
        if (walked.to() == ask.from()) {
            if (walked.damage() != null && ask.withBytes() && !isEdge(segment, end, ask.from())) {
                return noPlace(ask.from());
            }
            return walked.damage() == null
                    ? new RangeLook.Gone()
                    : new RangeLook.Rotten(
                            ask.from(), walked.goesOn(), walked.damage().sentence(disk), null);
        }
        // Whose own edges lie in a block that has changed elsewhere may still give what is whole.
        String changed = changedBlock(segment, ask.from(), walked.to(), ask.withBytes());
        ByteBuffer bytes = changed == null ? read(segment, ask.from(), walked.to()) : null;
        if (bytes == null) {
            String why = changed != null ? changed : describe(segment) + " cannot be read";
            return new RangeLook.Rotten(ask.from(), walked.to(), why, null);
        }
        return new RangeLook.Sound(ask.from(), walked.to(), digest(bytes), ask.withBytes() ? bytes : null);
    }

    private static RangeLook noPlace(long logOffset) {
        return new RangeLook.NotNow("no message is known to begin or end at log offset " + logOffset);
    }

    /// Whether a message ends at a place, so that one begins there: another member's word for it is not enough. In the
    /// middle of a message there is always something that is none, and taken for rot it would be written over.
    private boolean isEdge(Segment segment, long end, long at) throws DiskFailed {
        long from = at;
        for (int back = NEAR_BYTES; from > segment.base() && back <= MOST_BYTES; back *= FARTHER) {
            from = Math.max(segment.base(), at - back);
            long before = lastClaim(segment, from, at);
            if (before >= 0) {
                Walked walked = walk(segment, end, before, at, Integer.MAX_VALUE);
                return walked.damage() == null && walked.to() == at;
            }
        }
        return at == segment.base();
    }

    /// The last place at which something says that it is a message of just this place; -1 when nothing does.
    private long lastClaim(Segment segment, long from, long to) throws DiskFailed {
        ByteBuffer bytes = read(segment, from, to);
        if (bytes == null) {
            return -1;
        }
        for (int at = bytes.limit() - MessageLayout.LOG_OFFSET - Long.BYTES; at >= 0; at--) {
            int magic = bytes.getInt(at + MessageLayout.MAGIC);
            if ((magic == MessageLayout.MAGIC_V1 || magic == MessageLayout.MAGIC_V2)
                    && bytes.getLong(at + MessageLayout.LOG_OFFSET) == from + at) {
                return from + at;
            }
        }
        return -1;
    }

    private String describe(Segment segment) {
        return disk.describe(segment.file());
    }

    /// From message to message, as far as they are sound, end at or below `limit`, and fit (or the first alone).
    Walked walk(Segment segment, long end, long from, long limit, int mostBytes) throws DiskFailed {
        long base = segment.base();
        SegmentWalk walk = new SegmentWalk(disk, segment.file(), base, end - base, false).from(from - base, 0);
        long at = from;
        while (at < limit) {
            SegmentWalk.Step step = walk.next();
            Damage damage = step == SegmentWalk.Step.DAMAGE ? walk.damage() : null;
            long next = base + walk.place();
            if (step == SegmentWalk.Step.END && next < end) {
                // Zeros where messages should be.
                damage = new Damage(
                        segment.file(), at - base, end - base, LogScan.faultOf(gantry.wire.message.Check.END), null);
            }
            if (damage != null) {
                long goesOn = walk.isAtEnd() ? end : base + damage.to();
                return new Walked(at, damage, goesOn);
            }
            if (next > limit || (at > from && next - from > mostBytes)) {
                return new Walked(at, null, at);
            }
            at = next;
        }
        return new Walked(at, null, at);
    }

    /// Which bytes between two places belong to no sound message.
    List<Damage> damaged(Segment segment, long end, long from, long to) throws DiskFailed {
        List<Damage> all = new ArrayList<>();
        for (long at = from; at < to; ) {
            Walked walked = walk(segment, end, at, end, (int) Math.min(Integer.MAX_VALUE, to - at));
            Damage damage = walked.damage();
            if (damage == null || segment.base() + damage.from() >= to) {
                return all;
            }
            all.add(damage);
            at = Math.max(walked.goesOn(), walked.to() + 1);
        }
        return all;
    }

    /// What the seals of the blocks between two places say; null when nothing has changed.
    ///
    /// @param inside leaves out blocks that reach beyond either place
    private @Nullable String changedBlock(Segment segment, long from, long to, boolean inside) throws DiskFailed {
        Seals kept = seals;
        if (kept == null) {
            return null;
        }
        SealLayout layout = kept.layout();
        SealTable table = kept.table(segment.base());
        for (int block = layout.blockOf(from - segment.base());
                block <= layout.blockOf(to - 1 - segment.base());
                block++) {
            boolean reachesOut =
                    segment.base() + layout.startOf(block) < from || segment.base() + layout.endOf(block) > to;
            if (!(inside && reachesOut) && table.isSealed(block)) {
                Integer sum = sumOf(segment, block, from, null);
                if (sum == null || sum != table.sum(block)) {
                    return describe(segment) + ": from byte " + layout.startOf(block) + " to " + layout.endOf(block)
                            + " there is " + SealCheck.CHANGED;
                }
            }
        }
        return null;
    }

    /// The checksum of a block, as it is or as it would be with other bytes from a place on; null when it cannot be
    /// read.
    @Nullable
    Integer sumOf(Segment segment, int block, long from, @Nullable ByteBuffer instead) throws DiskFailed {
        Seals kept = seals;
        if (kept == null) {
            return null;
        }
        long start = segment.base() + kept.layout().startOf(block);
        ByteBuffer bytes = read(segment, start, segment.base() + kept.layout().endOf(block));
        if (bytes == null) {
            return null;
        }
        if (instead != null) {
            long first = Math.max(start, from);
            long last = Math.min(start + bytes.limit(), from + instead.remaining());
            bytes.put((int) (first - start), instead, instead.position() + (int) (first - from), (int) (last - first));
        }
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }

    /// Null when the disk cannot read all of it.
    ///
    /// @throws DiskFailed when the file is not there
    @Nullable
    ByteBuffer read(Segment segment, long from, long to) throws DiskFailed {
        ByteBuffer bytes = ByteBuffer.allocate((int) (to - from));
        Done done = disk.read(segment.file(), from - segment.base(), bytes);
        if (done instanceof Done.Failed failed && failed.kind() == Done.Kind.MISSING) {
            throw new DiskFailed(failed);
        }
        return done.isOk() && !bytes.hasRemaining() ? bytes.flip() : null;
    }

    static byte[] digest(ByteBuffer bytes) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(bytes.duplicate());
            return digest.digest();
        } catch (NoSuchAlgorithmException e) {
            throw Invariant.broken("RANGE-1 every Java has SHA-256: " + e.getMessage());
        }
    }
}
