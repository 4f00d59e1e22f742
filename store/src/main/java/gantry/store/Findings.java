package gantry.store;

import gantry.store.VerifyReport.Finding;
import gantry.store.VerifyReport.Line;
import gantry.store.VerifyReport.Severity;
import java.util.ArrayList;
import java.util.List;

/// Gathers what a check finds.
///
/// For:   one place that counts everything and keeps a bounded part of it.
/// Owner: one check.
final class Findings {
    /// More are counted, but not listed.
    static final int MOST_LISTED = 1000;

    private final Disk disk;
    private final List<Line> lines = new ArrayList<>();
    private final List<Finding> listed = new ArrayList<>();
    private long badCount;
    private long noteCount;

    Findings(Disk disk) {
        this.disk = disk;
    }

    void bad(FileId file, long byteAt, String what) {
        badCount++;
        list(Severity.BAD, file, byteAt, what);
    }

    void note(FileId file, long byteAt, String what) {
        noteCount++;
        list(Severity.NOTE, file, byteAt, what);
    }

    /// @param explained whether the way in which the store stopped explains it
    void add(boolean explained, FileId file, long byteAt, String what) {
        if (explained) {
            note(file, byteAt, what);
        } else {
            bad(file, byteAt, what);
        }
    }

    void line(String what, FileId file, long bytes, long from, long to, long count, String state) {
        lines.add(new Line(what, disk.describe(file), bytes, from, to, count, state));
    }

    long badCount() {
        return badCount;
    }

    VerifyReport report() {
        return new VerifyReport(lines, listed, badCount, noteCount, List.of());
    }

    private void list(Severity severity, FileId file, long byteAt, String what) {
        if (listed.size() < MOST_LISTED) {
            listed.add(new Finding(severity, disk.describe(file), byteAt, what));
        }
    }
}
