package gantry.store;

import gantry.base.Notices;
import java.util.List;

/// Looks at the seals at a start, and makes them fit the log that it has found.
///
/// For:   recovery, which may trust and must compare what was sealed; and seals that never are of other bytes.
/// Owner: recovery.
/// Never: a reason not to start, unless seals of other bytes can neither be changed nor deleted.
final class SealOpening {
    /// What a start seals at most of what the last process did not get to.
    private static final long MOST_LEFT_BYTES = Sealer.MOST_BYTES;

    /// So many changed blocks are told one by one.
    static final int MOST_TOLD = 20;

    static final String BIT_ROT = "Bit rot: %s. What stands there is served as it is."
            + " Restore the file from a copy if there is one; gantry verify shows all.";

    /// What a store goes on with.
    ///
    /// @param sealedTo from where on new blocks are sealed
    record Opened(Seals seals, long sealedTo) {}

    private final Disk disk;
    private final Notices notices;
    private final Seals seals;

    SealOpening(Disk disk, Notices notices, long segmentBytes) {
        this.disk = disk;
        this.notices = notices;
        this.seals = new Seals(disk, segmentBytes);
    }

    /// Up to where seals say that the log was on disk, if that is beyond `from`; else `from`. Only for a log
    /// that nobody else has written to since.
    long certain(long from) {
        try {
            return Math.max(from, seals.sealedEnd(from));
        } catch (DiskFailed e) {
            notices.warn(
                    "The seals of the commit log cannot be read: " + e.failure().sentence());
            return from;
        }
    }

    /// Compares what a start has read anyway, and takes away what does not belong to this log.
    ///
    /// @param from the start has read the log from here to its end
    /// @param foreign whether somebody else may have written to it
    /// @param clean whether the last stop was clean
    /// @param damaged what was stepped over, and is told already
    Opened open(Segments segments, long from, long end, boolean foreign, boolean clean, List<Damage> damaged)
            throws DiskFailed {
        long min = segments.minOffset();
        long holds = end;
        try {
            holds = foreign ? rewrittenFrom(min, end) : end;
            compare(segments, from, holds, damaged);
        } catch (DiskFailed e) {
            notices.warn("The seals of the commit log cannot be compared: "
                    + e.failure().sentence());
        }
        seals.cut(min, Math.min(end, holds));
        for (String what : seals.takeThrownAway()) {
            String text = what + ": it is thrown away, and made again while the broker serves.";
            // A loss of power explains it.
            notices.tell(clean ? Notices.Level.WARN : Notices.Level.INFO, text);
        }
        return new Opened(seals, goesOnAt(segments, end));
    }

    /// An empty log has no seals.
    Opened begin() throws DiskFailed {
        seals.cut(0, 0);
        return new Opened(seals, 0);
    }

    private long rewrittenFrom(long min, long end) throws DiskFailed {
        long holds = new SealTrust(disk, seals, min, end).holdsUpTo();
        if (holds == Long.MAX_VALUE) {
            return end;
        }
        notices.warn("The commit log is another from " + holds + " on ("
                + disk.describe(Segments.fileAt(holds - holds % seals.layout().segmentBytes()))
                + ") than Gantry sealed: a RocketMQ broker has cut it there since and written on, or it has changed"
                + " on disk. It is sealed anew as it is now; gantry verify looks at its messages.");
        return holds;
    }

    private void compare(Segments segments, long from, long to, List<Damage> damaged) throws DiskFailed {
        SealCheck check = new SealCheck(disk, seals);
        SealLayout layout = seals.layout();
        long told = 0;
        for (Segment segment : segments.between(from, to)) {
            SealTable table = seals.table(segment.base());
            List<Damage> here = damaged.stream()
                    .filter(damage -> damage.file().equals(segment.file()))
                    .toList();
            int block = layout.blockOf(Math.max(0, from - segment.base()));
            for (; block < layout.blockCount() && segment.base() + layout.endOf(block) <= to; block++) {
                Damage changed = Sealer.touches(here, layout.startOf(block), layout.endOf(block))
                        ? null
                        : check.compare(table, block);
                if (changed != null && ++told <= MOST_TOLD) {
                    notices.alarm(BIT_ROT.formatted(changed.sentence(disk)));
                }
            }
        }
    }

    /// Behind the last sealed block, if the last process did not leave more than that.
    private long goesOnAt(Segments segments, long end) {
        long sealed = certain(segments.minOffset());
        return end - sealed <= MOST_LEFT_BYTES ? sealed : startOfBlock(end);
    }

    private long startOfBlock(long logOffset) {
        long place = logOffset % seals.layout().segmentBytes();
        return logOffset - place + seals.layout().startOf(seals.layout().blockOf(place));
    }
}
