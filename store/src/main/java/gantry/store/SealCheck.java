package gantry.store;

import gantry.store.Disk.Done;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// Reads blocks of the log, seals them, and compares them with their seals.
///
/// For:   one place that says whether a block is what it was, and what has changed in it.
/// Owner: whoever owns the `Seals`; one buffer of a block's size.
/// Never: changes a seal that does not match: that is for an operator to decide.
final class SealCheck {
    /// CRC32C, bits in the order in which it takes them.
    private static final int POLYNOMIAL = 0x82F63B78;

    /// So far before a block its first message may begin.
    private static final long LONGEST_RECORD_BYTES = 5 << 20;

    /// So many messages of a damaged block are named.
    private static final int MOST_NAMED = 3;

    /// A block is what was sealed, or nobody can say.
    static final long NOTHING = -1;

    /// More than one bit of a block has changed.
    static final long MORE = -2;

    /// As in "there is …".
    static final String CHANGED = "something else than what was sealed when it was written";

    private final Disk disk;
    private final SealLayout layout;
    private final ByteBuffer bytes;
    private final CRC32C crc = new CRC32C();
    private int sum;

    SealCheck(Disk disk, Seals seals) {
        this.disk = disk;
        this.layout = seals.layout();
        this.bytes = ByteBuffer.allocateDirect(layout.blockBytes());
    }

    /// Seals a block that has no seal yet; one that cannot be read stays without.
    ///
    /// @throws DiskFailed when the file is not there
    void seal(SealTable table, int block) throws DiskFailed {
        if (!table.isSealed(block) && read(table.base(), block)) {
            table.seal(block, sum);
        }
    }

    /// What has changed in a block since it was sealed; null when nothing has, when it has no seal, or when it
    /// cannot be read.
    ///
    /// @throws DiskFailed when the file is not there
    @Nullable
    Damage compare(SealTable table, int block) throws DiskFailed {
        if (!table.isSealed(block) || !read(table.base(), block) || sum == table.sum(block)) {
            return null;
        }
        long from = layout.startOf(block);
        long to = layout.endOf(block);
        int bit = flippedBit(sum ^ table.sum(block), (int) (to - from));
        if (bit < 0) {
            return damage(table.base(), from, to, CHANGED, messages(table.base(), from, to));
        }
        long place = from + bit / Byte.SIZE;
        return damage(
                table.base(),
                from,
                to,
                CHANGED + ": bit " + bit % Byte.SIZE + " of byte " + place + " has flipped",
                messages(table.base(), place, place + 1));
    }

    /// Which bit of a block has turned over since it was sealed, counted from its first byte's lowest; `NOTHING`, or
    /// `MORE` when it is not one alone.
    ///
    /// @throws DiskFailed when the file is not there
    long changedBit(SealTable table, int block) throws DiskFailed {
        if (!table.isSealed(block) || !read(table.base(), block) || sum == table.sum(block)) {
            return NOTHING;
        }
        int bit = flippedBit(sum ^ table.sum(block), (int) (layout.endOf(block) - layout.startOf(block)));
        return bit < 0 ? MORE : bit;
    }

    private static Damage damage(long base, long from, long to, String what, @Nullable String message) {
        return new Damage(Segments.fileAt(base), from, to, what, message);
    }

    private boolean read(long base, int block) throws DiskFailed {
        int length = (int) (layout.endOf(block) - layout.startOf(block));
        bytes.clear().limit(length);
        Done done = disk.read(Segments.fileAt(base), layout.startOf(block), bytes);
        if (done instanceof Done.Failed failed && failed.kind() == Done.Kind.MISSING) {
            throw new DiskFailed(failed);
        }
        if (!done.isOk() || bytes.hasRemaining()) {
            return false;
        }
        crc.reset();
        crc.update(bytes.flip());
        sum = (int) crc.getValue();
        return true;
    }

    /// Which single bit makes this difference between two checksums of so many bytes, counted from the first byte's
    /// lowest; -1 when more than one has changed.
    static int flippedBit(int difference, int length) {
        int effect = POLYNOMIAL;
        for (int bit = length * Byte.SIZE - 1; bit >= 0; bit--) {
            if (effect == difference) {
                return bit;
            }
            effect = (effect >>> 1) ^ ((effect & 1) == 0 ? 0 : POLYNOMIAL);
        }
        return -1;
    }

    /// Which messages have bytes between two places of a file, as far as they can still be made out.
    private @Nullable String messages(long base, long from, long to) throws DiskFailed {
        SegmentWalk walk = new SegmentWalk(disk, Segments.fileAt(base), base, layout.segmentBytes(), false)
                .from(Math.max(0, from - LONGEST_RECORD_BYTES), 0);
        List<String> names = new ArrayList<>();
        long count = 0;
        long start = walk.place();
        SegmentWalk.Step step = walk.next();
        while (step != SegmentWalk.Step.END && start < to) {
            if (step == SegmentWalk.Step.RECORD && walk.place() > from) {
                count++;
                String name = walk.describeMessage();
                if (name != null && names.size() < MOST_NAMED) {
                    names.add(name);
                }
            }
            start = walk.place();
            step = walk.next();
        }
        if (names.isEmpty()) {
            return null;
        }
        return String.join(", ", names) + (count > MOST_NAMED ? " and " + (count - MOST_NAMED) + " more" : "");
    }
}
