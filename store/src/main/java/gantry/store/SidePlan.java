package gantry.store;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// What a copy beside the log is of.
///
/// ```
///   0              8           16               24        28                at the end
///   ┌──────────────┬───────────┬────────────────┬─────────┬────────┬────────┐
///   │ GANTRYC 1    │ begin     │ snapshotOffset │ length  │ owner's│ CRC32C │
///   └──────────────┴───────────┴────────────────┴─────────┴────────┴────────┘
/// ```
/// For:   the file `gantrycopy/plan`.
/// Owner: none (immutable).
///
/// @param begin the copied log's first offset
/// @param snapshotOffset the copied state is that of the log up to here
/// @param owners bytes that mean something to the owner only
@SuppressWarnings("ArrayRecordComponent") // never compared
record SidePlan(long begin, long snapshotOffset, byte[] owners) {
    private static final long MAGIC = 0x47414E5452594301L;
    private static final int HEAD_BYTES = 28;

    byte[] encode() {
        ByteBuffer bytes = ByteBuffer.allocate(HEAD_BYTES + owners.length + Integer.BYTES);
        bytes.putLong(MAGIC)
                .putLong(begin)
                .putLong(snapshotOffset)
                .putInt(owners.length)
                .put(owners);
        return bytes.putInt(crc(bytes.array(), bytes.position())).array();
    }

    /// @return null when there is none that makes sense
    static @Nullable SidePlan load(Disk disk) throws DiskFailed {
        byte[] content = Export.readOnly(disk, SideFiles.PLAN);
        int end = content == null ? -1 : content.length - Integer.BYTES;
        if (content == null || end < HEAD_BYTES) {
            return null;
        }
        ByteBuffer bytes = ByteBuffer.wrap(content);
        if (bytes.getLong() != MAGIC || bytes.getInt(end) != crc(content, end)) {
            return null;
        }
        return new SidePlan(bytes.getLong(), bytes.getLong(), Arrays.copyOfRange(content, HEAD_BYTES, end));
    }

    private static int crc(byte[] content, int length) {
        CRC32C crc = new CRC32C();
        crc.update(content, 0, length);
        return (int) crc.getValue();
    }
}
