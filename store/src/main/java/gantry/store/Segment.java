package gantry.store;

import gantry.base.Lease;
import java.nio.ByteBuffer;

/// One file of the commit log, mapped for reading.
///
/// For:   reading log bytes in place.
/// Owner: the shelf; it ends a segment, whose mapping is closed when the last reader is done.
/// Never: writes.
final class Segment {
    private final long base;
    private final FileId file;
    private final ByteBuffer bytes;
    private final Lease lease;
    private boolean ended;

    Segment(long base, FileId file, Disk.Mapping mapping) {
        this.base = base;
        this.file = file;
        this.bytes = mapping.bytes();
        this.lease = new Lease(mapping::close);
    }

    static Segment open(Disk disk, long base) throws DiskFailed {
        FileId file = Segments.fileAt(base);
        return new Segment(base, file, disk.map(file));
    }

    /// The log offset of its first byte.
    long base() {
        return base;
    }

    FileId file() {
        return file;
    }

    /// The whole file, only between `take` and `giveBack`; never move its position.
    ByteBuffer bytes() {
        return bytes;
    }

    /// @return false when it is gone
    boolean take() {
        return lease.take();
    }

    void giveBack() {
        lease.giveBack();
    }

    void end() {
        if (!ended) {
            ended = true;
            lease.end();
        }
    }
}
