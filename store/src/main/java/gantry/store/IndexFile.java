package gantry.store;

import gantry.store.Disk.Done;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;

/// One file of the key index, as far as it can be relied on.
///
/// For:   naming a file together with how much of it counts.
/// Owner: none (immutable).
///
/// @param name 17 digits, a time as `yyyyMMddHHmmssSSS`; files are read in the order of their names
/// @param header entries from `nextEntry` on do not count, whatever is there
record IndexFile(long name, IndexHeader header) {
    private static final int DIGITS = 17;
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuuMMddHHmmssSSS");

    /// The name that RocketMQ would give a file which is begun at that time.
    static long nameAt(long wallMillis) {
        return Long.parseLong(TIME.format(Instant.ofEpochMilli(wallMillis).atZone(ZoneId.systemDefault())));
    }

    /// @return -1 when it is no such name
    static long nameOf(String text) {
        if (text.length() != DIGITS) {
            return -1;
        }
        for (int i = 0; i < DIGITS; i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return -1;
            }
        }
        return Long.parseLong(text);
    }

    static FileId idOf(long name) {
        String digits = Long.toString(name);
        return new FileId(IndexLayout.FOLDER + "/" + "0".repeat(Math.max(0, DIGITS - digits.length())) + digits);
    }

    FileId id() {
        return idOf(name);
    }

    IndexFile with(IndexHeader newer) {
        return new IndexFile(name, newer);
    }

    /// What the file itself says about itself.
    static @Nullable IndexHeader headerOnDisk(Disk disk, FileId file) throws DiskFailed {
        ByteBuffer bytes = ByteBuffer.allocate(IndexLayout.HEADER_BYTES);
        return switch (disk.read(file, 0, bytes)) {
            case Done.Ok _ -> bytes.hasRemaining() ? null : IndexHeader.read(bytes.flip());
            case Done.Failed failed -> throw new DiskFailed(failed);
        };
    }
}
