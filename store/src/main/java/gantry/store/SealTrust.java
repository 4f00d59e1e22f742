package gantry.store;

import org.jspecify.annotations.Nullable;

/// Finds out up to where seals hold when somebody else has written to the log since.
///
/// ```
///   seals:   │ = │ = │ = │ = │ ≠ │ ≠ │ ≠ │        = the block is what was sealed
///   log:     │ ours              │ cut here, and written anew by a RocketMQ broker … end
///                                └ T: the seals from here on are of other bytes
/// ```
/// A RocketMQ broker appends behind our end, which no seal reaches beyond. But when it takes a place for bad it
/// cuts the log there and writes on: then every later block has changed, and not by rot. So if the last sealed
/// block is what it was, all seals hold; else the place is searched by halves.
///
/// For:   no false alarm after a stay of another broker.
/// Owner: one open, or one check.
final class SealTrust {
    private final Seals seals;
    private final SealLayout layout;
    private final SealCheck check;
    private final long min;
    private final long end;

    /// @param min the log's first byte
    /// @param end where its messages end
    SealTrust(Disk disk, Seals seals, long min, long end) {
        this.seals = seals;
        this.layout = seals.layout();
        this.check = new SealCheck(disk, seals);
        this.min = min;
        this.end = end;
    }

    /// The log offset from which on seals are of other bytes; `Long.MAX_VALUE` when all hold.
    long holdsUpTo() throws DiskFailed {
        long perFile = layout.blockCount();
        long first = min / layout.segmentBytes() * perFile;
        long good = first - 1;
        long bad = sealedAtOrBelow(
                end / layout.segmentBytes() * perFile + layout.blockOf(end % layout.segmentBytes()), good);
        if (bad < 0 || isSame(bad)) {
            return Long.MAX_VALUE;
        }
        while (bad - good > 1) {
            long middle = good + (bad - good) / 2;
            long sealed = sealedAtOrBelow(middle, good);
            if (sealed < 0 || isSame(sealed)) {
                good = middle;
            } else {
                bad = sealed;
            }
        }
        return bad / perFile * layout.segmentBytes() + layout.startOf((int) (bad % perFile));
    }

    /// The last sealed block from `from` down to above `above` whose bytes all lie below the end; -1 when there
    /// is none.
    private long sealedAtOrBelow(long from, long above) throws DiskFailed {
        SealTable table = null;
        for (long at = from; at > above; at--) {
            long base = at / layout.blockCount() * layout.segmentBytes();
            int block = (int) (at % layout.blockCount());
            table = tableOf(table, base);
            if (table.isSealed(block) && base + layout.endOf(block) <= end) {
                return at;
            }
        }
        return -1;
    }

    private SealTable tableOf(@Nullable SealTable last, long base) throws DiskFailed {
        return last != null && last.base() == base ? last : seals.table(base);
    }

    private boolean isSame(long at) throws DiskFailed {
        long base = at / layout.blockCount() * layout.segmentBytes();
        return check.compare(seals.table(base), (int) (at % layout.blockCount())) == null;
    }
}
