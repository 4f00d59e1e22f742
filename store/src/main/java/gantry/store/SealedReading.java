package gantry.store;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Holds what is read of the log against the seals of its blocks.
///
/// ```
///   its blocks match their seals, or have none ─▶ a record is what it says
///   one bit of a block has turned over         ─▶ it is turned back for the reader: as it was sealed
///   more of a block has changed                ─▶ its records are in doubt, however sound they look
/// ```
/// The topic, queue, offset and flags of a record are in no checksum of RocketMQ's format, so a record alone cannot say
/// that they are right.
///
/// For:   whoever makes queue entries of what the log says.
/// Owner: one pass over the log; waits for the disk.
/// Never: changes anything on disk; a reason to fail: seals that cannot be read say nothing.
final class SealedReading {
    private static final long NOT_ASKED = Long.MIN_VALUE;

    private final Disk disk;
    private final Seals seals;
    private final SealLayout layout;
    private final SealCheck check;
    private final List<RottenPlace> found = new ArrayList<>();
    private final long[] changed;
    private long base = -1;
    private int lastFoundBlock = -1;

    SealedReading(Disk disk, long segmentBytes) {
        this.disk = disk;
        this.seals = new Seals(disk, segmentBytes);
        this.layout = seals.layout();
        this.check = new SealCheck(disk, seals);
        this.changed = new long[layout.blockCount()];
    }

    /// A record as it was sealed.
    ///
    /// @return null when no single bit of it has turned over: then it is read where it stands
    @Nullable
    ByteBuffer asSealed(Segment segment, int place, int size) {
        if (!hasTurned(segment.base(), place, place + size)) {
            return null;
        }
        note(segment.base(), place, place + size);
        ByteBuffer bytes = ByteBuffer.allocate(size);
        if (!disk.read(segment.file(), place, bytes).isOk() || bytes.hasRemaining()) {
            return null;
        }
        turnBack(segment.base(), place, bytes.flip());
        return bytes;
    }

    /// Whether so much of a block between two places has changed that nobody can say what of it.
    boolean isInDoubt(long segmentBase, long from, long to) {
        boolean any = false;
        for (int block = layout.blockOf(from); block <= layout.blockOf(to - 1); block++) {
            any |= changedIn(segmentBase, block) == SealCheck.MORE;
        }
        if (any) {
            note(segmentBase, from, to);
        }
        return any;
    }

    /// As above, for who cannot read what has changed in one bit as it was.
    boolean isChanged(long segmentBase, long from, long to) {
        return isInDoubt(segmentBase, from, to) || hasTurned(segmentBase, from, to);
    }

    /// What was read, and is not what was sealed; from where a message begins to where messages go on.
    List<RottenPlace> found() {
        return found;
    }

    private boolean hasTurned(long segmentBase, long from, long to) {
        for (int block = layout.blockOf(from); block <= layout.blockOf(to - 1); block++) {
            long bit = changedIn(segmentBase, block);
            if (bit >= 0 && bit / Byte.SIZE >= from && bit / Byte.SIZE < to) {
                return true;
            }
        }
        return false;
    }

    /// @param bytes what the file has from `from` on
    private void turnBack(long segmentBase, long from, ByteBuffer bytes) {
        long to = from + bytes.limit();
        for (int block = layout.blockOf(from); block <= layout.blockOf(to - 1); block++) {
            long bit = changedIn(segmentBase, block);
            if (bit >= 0 && bit / Byte.SIZE >= from && bit / Byte.SIZE < to) {
                int at = (int) (bit / Byte.SIZE - from);
                bytes.put(at, (byte) (bytes.get(at) ^ 1 << bit % Byte.SIZE));
            }
        }
    }

    /// @return the one bit of the file that has turned over in a block, or what `SealCheck` says
    private long changedIn(long segmentBase, int block) {
        if (segmentBase != base) {
            base = segmentBase;
            lastFoundBlock = -1;
            Arrays.fill(changed, NOT_ASKED);
        }
        if (changed[block] == NOT_ASKED) {
            changed[block] = ask(block);
        }
        return changed[block];
    }

    private long ask(int block) {
        try {
            long bit = check.changedBit(seals.table(base), block);
            return bit < 0 ? bit : layout.startOf(block) * Byte.SIZE + bit;
        } catch (DiskFailed e) {
            // It is told by who needs these bytes.
            return SealCheck.NOTHING;
        }
    }

    /// Messages of one changed block are one place.
    private void note(long segmentBase, long from, long to) {
        RottenPlace last = found.isEmpty() ? null : found.getLast();
        int block = layout.blockOf(from);
        if (last != null && last.from() <= segmentBase + from && last.to() >= segmentBase + to) {
            return;
        }
        if (last != null && last.to() == segmentBase + from && block == lastFoundBlock) {
            found.set(found.size() - 1, new RottenPlace(last.from(), segmentBase + to, last.what()));
        } else if (found.size() < RotList.MOST) {
            Damage damage = new Damage(Segments.fileAt(segmentBase), from, to, SealCheck.CHANGED, null);
            found.add(new RottenPlace(segmentBase + from, segmentBase + to, damage.sentence(disk)));
        }
        lastFoundBlock = layout.blockOf(to - 1);
    }
}
