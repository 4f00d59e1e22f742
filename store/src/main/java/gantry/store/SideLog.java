package gantry.store;

import gantry.store.Disk.Done;
import gantry.store.Disk.FileEntry;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// The files of a log that is being copied, beside those of the store's own.
///
/// ```
///   begin                held: on disk          end
///     │ record │ … │ blank │ record │ … │ record │ 0 0 0
///     └─ a whole file ─────┘└─ the file that is written ─┘
/// ```
/// For:   writing records that were checked, and finding them again.
/// Owner: `SideStore`.
/// Never: a gap; anything but zeros behind its end when it is written to.
final class SideLog {
    private final Disk disk;
    private final long segmentBytes;
    private final long begin;

    /// Files below it are there.
    private long madeTo;

    SideLog(Disk disk, long segmentBytes, long begin) {
        this.disk = disk;
        this.segmentBytes = segmentBytes;
        this.begin = begin;
        this.madeTo = begin;
    }

    /// Writes bytes that belong to one file.
    ///
    /// @param touched is told which file it was
    Done write(long logOffset, ByteBuffer bytes, Set<FileId> touched) {
        long base = logOffset - logOffset % segmentBytes;
        Done made = make(base, touched);
        FileId file = SideFiles.logFile(base);
        touched.add(file);
        return made.isOk() ? disk.write(file, logOffset - base, bytes) : made;
    }

    /// Makes files up to the one that begins at `base`.
    Done make(long base, Set<FileId> touched) {
        Done done = Done.Ok.NOTHING;
        while (madeTo <= base && done.isOk()) {
            FileId file = SideFiles.logFile(madeTo);
            done = disk.create(file, segmentBytes);
            touched.add(file);
            madeTo += segmentBytes;
        }
        return done;
    }

    /// Finds out what there is behind what was on disk for certain, and takes away what makes no sense.
    ///
    /// @param held up to here it is on disk
    /// @return where it ends; -1 when something below `held` is missing
    long recover(long held, LogScan.Visitor visitor, MillisSeen millis) throws DiskFailed, OpenFailed {
        long base = held - held % segmentBytes;
        if (!isWhole(base, held)) {
            return -1;
        }
        madeTo = base;
        for (FileEntry entry : disk.list(SideFiles.LOG_FOLDER)) {
            if (Names.offsetOf(entry.name()) == madeTo && madeTo >= base) {
                SideFiles.check(disk.create(SideFiles.logFile(madeTo), segmentBytes));
                madeTo += segmentBytes;
            } else if (Names.offsetOf(entry.name()) > madeTo) {
                SideFiles.check(disk.delete(SideFiles.logFile(Names.offsetOf(entry.name()))));
            }
        }
        if (madeTo == base) {
            return held;
        }
        List<Segment> mapped = map(base);
        try {
            Segments segments = new Segments(segmentBytes, mapped);
            LogScan scan = new LogScan(disk, segments, LogScan.Depth.WHOLE, LogScan.UNTOLD).after(millis.storeMillis());
            long end = scan.run(held, Long.MAX_VALUE, held, visitor);
            millis.seen(scan.lastMillis());
            Segments kept = new TailCut(disk, SideFiles.LOG_FOLDER).run(segments, base, end);
            madeTo = kept.endOffset();
            return end;
        } finally {
            mapped.forEach(Segment::end);
        }
    }

    /// The storeMillis up to which a scan has come.
    static final class MillisSeen {
        private long storeMillis;

        MillisSeen(long storeMillis) {
            this.storeMillis = storeMillis;
        }

        long storeMillis() {
            return storeMillis;
        }

        void seen(long later) {
            storeMillis = Math.max(storeMillis, later);
        }
    }

    /// Whether all that was on disk is there still.
    private boolean isWhole(long base, long held) throws DiskFailed {
        long expected = begin;
        for (FileEntry entry : disk.list(SideFiles.LOG_FOLDER)) {
            if (Names.offsetOf(entry.name()) == expected && expected < held) {
                long needed = Math.min(segmentBytes, held - expected);
                if (entry.bytes() < needed) {
                    return false;
                }
                expected += segmentBytes;
            }
        }
        return expected >= base && (expected > base || held == base);
    }

    /// Visits the records of a part; `from` is the begin of a file, and all of it is on disk.
    LogScan scan(long from, long to, LogScan.Visitor visitor) throws DiskFailed, OpenFailed {
        List<Segment> mapped = map(from);
        try {
            LogScan scan = new LogScan(disk, new Segments(segmentBytes, mapped), LogScan.Depth.PARTS, LogScan.UNTOLD);
            scan.run(from, to, to, visitor);
            return scan;
        } finally {
            mapped.forEach(Segment::end);
        }
    }

    private List<Segment> map(long from) throws DiskFailed {
        List<Segment> mapped = new ArrayList<>();
        boolean done = false;
        try {
            for (long base = from; base < madeTo; base += segmentBytes) {
                FileId file = SideFiles.logFile(base);
                mapped.add(new Segment(base, file, disk.map(file)));
            }
            done = true;
            return mapped;
        } finally {
            if (!done) {
                mapped.forEach(Segment::end);
            }
        }
    }
}
