package gantry.store;

import gantry.store.Disk.Done;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Compares a stopped log with its seals, file by file, behind the walk over its messages.
///
/// For:   the offline check, which knows only at the log's end which seals hold.
/// Owner: one check.
/// Never: changes a seal, unless it is told to drop those that do not match.
final class SealVerify {
    /// More changed blocks are not told apart.
    private static final int MOST_CHANGED = 100_000;

    private record Changed(long base, int block, Damage damage) {}

    private final Disk disk;
    private final Findings findings;
    private final Seals seals;
    private final SealLayout layout;
    private final SealCheck check;
    private final List<Changed> changed = new ArrayList<>();

    SealVerify(Disk disk, Findings findings, long segmentBytes) {
        this.disk = disk;
        this.findings = findings;
        this.seals = new Seals(disk, segmentBytes);
        this.layout = seals.layout();
        this.check = new SealCheck(disk, seals);
    }

    /// The end of the last sealed block at or above a place of the log; -1 when there is none.
    long sealedEnd(long from) throws DiskFailed {
        return seals.sealedEnd(from);
    }

    /// One file of the log.
    ///
    /// @param end where its messages end
    /// @param damaged what the walk has found in it: told already
    void file(long base, long end, List<Damage> damaged) throws DiskFailed {
        SealTable table = seals.table(base);
        for (int block = 0; block < layout.blockCount() && layout.endOf(block) <= end - base; block++) {
            Damage damage = check.compare(table, block);
            if (damage == null || changed.size() >= MOST_CHANGED) {
                continue;
            }
            if (Sealer.touches(damaged, damage.from(), damage.to())) {
                findings.note(
                        damage.file(),
                        damage.from(),
                        "this block has changed since it was sealed, up to byte " + damage.to()
                                + ": the damage in it is named by itself");
            } else {
                changed.add(new Changed(base, block, damage));
            }
        }
    }

    /// Tells what has changed.
    ///
    /// @param foreign whether somebody else may have written to the log
    void finish(long minOffset, long logEnd, boolean foreign) throws DiskFailed {
        long holds = foreign && !changed.isEmpty()
                ? new SealTrust(disk, seals, minOffset, logEnd).holdsUpTo()
                : Long.MAX_VALUE;
        changed.removeIf(one -> one.base() + one.damage().from() >= holds);
        if (holds != Long.MAX_VALUE) {
            findings.note(
                    Segments.fileAt(holds - holds % layout.segmentBytes()),
                    holds % layout.segmentBytes(),
                    "from here on the log is another than was sealed: a RocketMQ broker has cut it here since and"
                            + " written on, or it has changed on disk; the next start seals it anew");
        }
        for (Changed one : changed) {
            Damage damage = one.damage();
            findings.bad(damage.file(), damage.from(), sentence(damage));
        }
        for (long base : seals.bases()) {
            line(base);
        }
    }

    private static String sentence(Damage damage) {
        return "up to byte " + damage.to() + " there is " + damage.what()
                + (damage.message() == null ? "" : "; the messages there: " + damage.message());
    }

    private void line(long base) throws DiskFailed {
        FileId file = SealLayout.fileAt(base);
        SealTable table = seals.table(base);
        int broken = table.brokenCount();
        List<String> wrong = seals.takeThrownAway();
        if (!wrong.isEmpty() || broken > 0) {
            findings.note(
                    file,
                    -1,
                    (wrong.isEmpty() ? "has " + broken + " seals that make no sense" : "makes no sense as a whole")
                            + ": those blocks are sealed again when the broker reads them");
        }
        findings.line(
                "seals",
                file,
                layout.fileBytes(),
                base,
                base + (table.sealedEnd() == 0 ? 0 : layout.endOf(table.sealedEnd() - 1)),
                table.sealedCount(),
                wrong.isEmpty() && broken == 0 ? "ok" : "made again");
    }

    boolean hasChanged() {
        return !changed.isEmpty();
    }

    /// Takes the seals of the changed blocks away, so that what stands there now counts as right.
    ///
    /// @return what was done, in sentences
    List<String> drop() throws DiskFailed {
        Set<Long> bases = new LinkedHashSet<>();
        changed.forEach(one -> bases.add(one.base()));
        List<String> deeds = new ArrayList<>();
        for (long base : bases) {
            SealTable table = seals.table(base);
            long count = 0;
            for (Changed one : changed) {
                if (one.base() == base) {
                    table.open(one.block());
                    count++;
                }
            }
            check(table.write(disk));
            check(disk.syncNow(SealLayout.fileAt(base)));
            deeds.add(disk.describe(SealLayout.fileAt(base)) + ": the seals of " + count
                    + " changed blocks were dropped; what stands there now is sealed as it is");
        }
        return deeds;
    }

    private static void check(Done done) throws DiskFailed {
        if (done instanceof Done.Failed failed) {
            throw new DiskFailed(failed);
        }
    }
}
