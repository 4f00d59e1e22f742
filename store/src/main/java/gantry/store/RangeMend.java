package gantry.store;

import gantry.store.Disk.Done;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Puts sound bytes in the place of what a disk has changed.
///
/// ```
///   given bytes: every message checked ─▶ what stands here: the same? sound? ─▶ rotten: kept aside, on disk
///     ─▶ seals that were made of rotten bytes: taken away, on disk ─▶ written over, on disk ─▶ sealed anew
/// ```
/// Whenever it is interrupted, each sector holds its old bytes or its new ones: the place is rotten still and is
/// mended again, or it is mended.
///
/// For:   rot that another member of the group has a sound copy of.
/// Owner: the scrubber's work, one at a time; waits for the disk.
/// Never: changes a byte outside of the range, or above what is settled; writes over what is sound here.
/// Holds: MEND-1 nothing is written before what stood there is on disk elsewhere.
final class RangeMend {
    private final StoreConfig config;
    private final Disk disk;
    private final @Nullable Seals seals;
    private final SealCheck check;
    private final RangeReader reader;

    RangeMend(StoreConfig config, Disk disk, @Nullable Seals seals, SealCheck check) {
        this.config = config;
        this.disk = disk;
        this.seals = seals;
        this.check = check;
        this.reader = new RangeReader(disk, seals);
    }

    /// @param given what another member has from `from` on, whole messages
    /// @param digest SHA-256 of it, as that member made it where it looked
    RangeMended mend(Segments segments, long settled, long from, ByteBuffer given, byte[] digest, long wallMillis) {
        int size = given.remaining();
        Segment segment = from < segments.minOffset() ? null : segments.find(from);
        if (segment == null || size == 0 || from + size > RangeReader.endOf(segment, settled)) {
            return new RangeMended.Gone();
        }
        String unfit = size > RangeReader.MOST_BYTES ? size + " bytes" : unfit(from, given, digest);
        if (unfit != null) {
            return new RangeMended.Unfit(unfit);
        }
        try {
            return mend(segment, RangeReader.endOf(segment, settled), from, given, wallMillis);
        } catch (DiskFailed e) {
            return e.failure().kind() == Done.Kind.MISSING
                    ? new RangeMended.Gone()
                    : new RangeMended.Failed(e.failure().sentence());
        }
    }

    private @Nullable String unfit(long from, ByteBuffer given, byte[] digest) {
        if (!Arrays.equals(RangeReader.digest(given), digest)) {
            return "the bytes that came are not those of their digest";
        }
        RecordCheck records = new RecordCheck(config);
        int at = given.position();
        while (at < given.limit()) {
            long place = from + at - given.position();
            int size = records.check(given, at, place, Long.MIN_VALUE);
            if (size < 0) {
                return "for log offset " + place + " came " + records.fault();
            }
            at += size;
        }
        return at == given.limit() ? null : "the last message is not whole";
    }

    private RangeMended mend(Segment segment, long end, long from, ByteBuffer given, long wallMillis)
            throws DiskFailed {
        long to = from + given.remaining();
        ByteBuffer own = reader.read(segment, from, to);
        if (own != null && own.equals(given)) {
            return new RangeMended.Same(to);
        }
        List<Damage> damaged = reader.damaged(segment, end, from, to);
        Blocks blocks = blocks(segment, from, to, given);
        if (own != null && damaged.isEmpty() && !blocks.changed()) {
            return new RangeMended.Differs(to, "what stands here is sound as well, and is something else");
        }
        ByteBuffer wanted = given;
        if (own != null && !blocks.provesGiven()) {
            if (damaged.isEmpty()) {
                return new RangeMended.Differs(
                        to, "the seals of its blocks fit neither what stands here nor what came");
            }
            // What is whole here stays as it is.
            wanted = patched(segment.base(), from, own, damaged, given);
        }
        FileId kept = new KeptRot(disk).keep(from, own == null ? ByteBuffer.allocate(0) : own, wallMillis);
        List<Integer> opened = openSealsOfRot(segment, from, to, wanted);
        check(disk.write(segment.file(), from - segment.base(), wanted));
        check(disk.syncNow(segment.file()));
        ByteBuffer now = reader.read(segment, from, to);
        if (now == null || !now.equals(wanted)) {
            return new RangeMended.Failed(disk.describe(segment.file())
                    + ": what was written cannot be read again from byte " + (from - segment.base()) + " on");
        }
        sealAgain(segment, opened);
        return new RangeMended.Mended(to, disk.describe(kept));
    }

    private static ByteBuffer patched(long base, long from, ByteBuffer own, List<Damage> damaged, ByteBuffer given) {
        ByteBuffer patched =
                ByteBuffer.allocate(own.remaining()).put(own.duplicate()).flip();
        for (Damage damage : damaged) {
            int first = (int) Math.max(0, base + damage.from() - from);
            // What the walk took for damage ends where messages go on.
            int last = (int) Math.min(patched.limit(), base + damage.to() - from);
            patched.put(first, given, given.position() + first, last - first);
        }
        return patched;
    }

    /// What the seals say of the blocks that the range touches.
    ///
    /// @param changed one at least is not what was sealed
    /// @param provesGiven every one of them is sealed, and is what was sealed with the given bytes in their place
    private record Blocks(boolean changed, boolean provesGiven) {}

    private Blocks blocks(Segment segment, long from, long to, ByteBuffer given) throws DiskFailed {
        Seals kept = seals;
        if (kept == null) {
            return new Blocks(false, false);
        }
        SealTable table = kept.table(segment.base());
        boolean changed = false;
        boolean proves = true;
        for (int block = first(kept, segment, from); block <= last(kept, segment, to); block++) {
            if (!table.isSealed(block)) {
                proves = false;
                continue;
            }
            Integer own = reader.sumOf(segment, block, from, null);
            Integer instead = reader.sumOf(segment, block, from, given);
            changed |= own == null || own != table.sum(block);
            proves &= instead != null && instead == table.sum(block);
        }
        return new Blocks(changed, proves);
    }

    private static int first(Seals kept, Segment segment, long from) {
        return kept.layout().blockOf(from - segment.base());
    }

    private static int last(Seals kept, Segment segment, long to) {
        return kept.layout().blockOf(to - 1 - segment.base());
    }

    /// A seal that fits the rotten bytes would call the sound ones changed.
    private List<Integer> openSealsOfRot(Segment segment, long from, long to, ByteBuffer wanted) throws DiskFailed {
        Seals kept = seals;
        if (kept == null) {
            return List.of();
        }
        SealTable table = kept.table(segment.base());
        List<Integer> opened = new ArrayList<>();
        for (int block = first(kept, segment, from); block <= last(kept, segment, to); block++) {
            if (table.isSealed(block)) {
                Integer own = reader.sumOf(segment, block, from, null);
                Integer then = reader.sumOf(segment, block, from, wanted);
                boolean ofRot = own != null && own == table.sum(block);
                if (ofRot && (then == null || then != table.sum(block))) {
                    table.open(block);
                    opened.add(block);
                }
            }
        }
        if (!opened.isEmpty()) {
            check(table.write(disk));
            check(disk.syncNow(SealLayout.fileAt(segment.base())));
        }
        return opened;
    }

    /// What fails here is sealed by the scrubber when it comes by.
    private void sealAgain(Segment segment, List<Integer> opened) throws DiskFailed {
        Seals kept = seals;
        if (kept == null || opened.isEmpty()) {
            return;
        }
        SealTable table = kept.table(segment.base());
        for (int block : opened) {
            check.seal(table, block);
        }
        table.write(disk);
    }

    private static void check(Done done) throws DiskFailed {
        if (done instanceof Done.Failed failed) {
            throw new DiskFailed(failed);
        }
    }
}
