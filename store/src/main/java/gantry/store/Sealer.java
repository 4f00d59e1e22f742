package gantry.store;

import gantry.base.Notices;
import gantry.store.Disk.Done;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Seals blocks of the log: soon after they have become durable, and when the scrubber reads one without a seal.
///
/// ```
///   │ sealed │ sealed │ sealed │ durable │ dur… ┊ written
///                              └ place           the block that is not full yet waits
/// ```
/// For:   a seal of the bytes as they were given to the disk, or at least while they are still in memory.
/// Owner: the scrub sequencer; `run` and `pass` are its work outside, one at a time, and wait for the disk.
/// Never: more than `MOST_BYTES` at once; on the way of a send.
final class Sealer {
    /// What is read at once at most; five times as much a second.
    static final long MOST_BYTES = 64 << 20;

    /// After a failure nothing is sealed for so long.
    private static final long RETRY_NANOS = 10_000_000_000L;

    /// What came of one run.
    ///
    /// @param place up to where it came
    record Run(long place, Done.@Nullable Failed failure) {}

    private final boolean enabled;
    private final Disk disk;
    private final Notices notices;
    private final Seals seals;
    private final SealLayout layout;
    private final SealCheck check;
    private final Complaint complaint;
    private final BlockSums sums = new BlockSums();
    private long place;
    private long minOffset;
    private long notBeforeNanos;

    /// @param place where sealing goes on
    Sealer(boolean enabled, Disk disk, Notices notices, Seals seals, long place, long nowNanos) {
        this.enabled = enabled;
        this.disk = disk;
        this.notices = notices;
        this.seals = seals;
        this.layout = seals.layout();
        this.check = new SealCheck(disk, seals);
        this.complaint = new Complaint(notices);
        this.place = place;
        this.notBeforeNanos = nowNanos;
    }

    SealCheck check() {
        return check;
    }

    boolean isEnabled() {
        return enabled;
    }

    /// Whether a block more is durable, or files have left the log.
    boolean isDue(Segments segments, long durable, long nowNanos) {
        boolean more = segments.minOffset() != minOffset || durable >= endOfBlockAt(place);
        return enabled && more && nowNanos - notBeforeNanos >= 0;
    }

    private long endOfBlockAt(long logOffset) {
        long base = logOffset - logOffset % layout.segmentBytes();
        return base + layout.endOf(layout.blockOf(logOffset - base));
    }

    /// Seals what lies between the place and `durable`, or a part of it.
    ///
    /// @param fresh sums of blocks that were made on their way to the disk; the others are read
    Run run(Segments segments, long durable, BlockSums fresh) {
        long at = Math.max(place, segments.minOffset());
        sums.addAll(fresh);
        sums.dropBelow(at);
        long stop = Math.min(durable, at + MOST_BYTES);
        try {
            seals.dropBelow(segments.minOffset());
            Segment segment = segments.find(at);
            while (segment != null && endOfBlockAt(at) <= stop) {
                at = seal(segment, at, stop);
                segment = segments.find(at);
            }
            return new Run(at, null);
        } catch (DiskFailed e) {
            return new Run(at, e.failure());
        }
    }

    /// @return up to where this file's blocks are sealed now
    private long seal(Segment segment, long from, long stop) throws DiskFailed {
        SealTable table = seals.table(segment.base());
        int block = layout.blockOf(from - segment.base());
        while (block < layout.blockCount() && segment.base() + layout.endOf(block) <= stop) {
            if (!sums.takes(segment.base() + layout.startOf(block))) {
                check.seal(table, block);
            } else if (!table.isSealed(block)) {
                table.seal(block, sums.taken());
            }
            block++;
        }
        write(table);
        return segment.base() + layout.endOf(block - 1);
    }

    private void write(SealTable table) throws DiskFailed {
        if (table.write(disk) instanceof Done.Failed failed) {
            throw new DiskFailed(failed);
        }
    }

    void ended(Run run, Segments segments, long nowNanos) {
        place = run.place();
        Done.Failed failure = run.failure();
        if (failure == null) {
            minOffset = segments.minOffset();
        } else if (failure.kind() != Done.Kind.MISSING) {
            // A file of the log that is missing has just been let go.
            notBeforeNanos = nowNanos + RETRY_NANOS;
            tell(failure, nowNanos);
        }
        tellThrownAway();
    }

    private void tell(Done.Failed failure, long nowNanos) {
        complaint.alarm(
                "Blocks of the commit log cannot be sealed, and are sealed later: " + failure.sentence()
                        + ". Messages are not affected; until then less of what a disk changes is noticed.",
                nowNanos);
    }

    private void tellThrownAway() {
        for (String what : seals.takeThrownAway()) {
            notices.warn(what + ": it is thrown away. The blocks of that commit-log file are sealed again when they"
                    + " are read; what has changed in them before is not noticed.");
        }
    }

    /// What a pass has found.
    record Found(List<Damage> changed, Done.@Nullable Failed failure) {
        static final Found NOTHING = new Found(List.of(), null);
    }

    /// Compares the blocks of a file that end between two places with their seals, and seals those without.
    ///
    /// @param to all of it is durable
    /// @param damaged what was found there otherwise: blocks that it touches are neither compared nor sealed
    Found pass(Segment segment, long from, long to, List<Damage> damaged) {
        if (!enabled) {
            return Found.NOTHING;
        }
        List<Damage> changed = new ArrayList<>();
        try {
            SealTable table = seals.table(segment.base());
            for (int block = layout.blockOf(from); block < layout.blockCount() && layout.endOf(block) <= to; block++) {
                if (!touches(damaged, layout.startOf(block), layout.endOf(block))) {
                    Damage change = check.compare(table, block);
                    if (change != null) {
                        changed.add(change);
                    }
                    check.seal(table, block);
                }
            }
            write(table);
            return new Found(changed, null);
        } catch (DiskFailed e) {
            return new Found(changed, e.failure());
        }
    }

    static boolean touches(List<Damage> damaged, long from, long to) {
        return damaged.stream().anyMatch(damage -> damage.from() < to && damage.to() > from);
    }

    void passed(Found found, long nowNanos) {
        Done.Failed failure = found.failure();
        if (failure != null && failure.kind() != Done.Kind.MISSING) {
            tell(failure, nowNanos);
        }
        tellThrownAway();
    }
}
