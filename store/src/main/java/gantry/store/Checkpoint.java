package gantry.store;

import gantry.base.Notices;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/// Up to where everything derived from the log is on disk, and the log itself.
///
/// ```
///   0               8               16              24                  32                  40 … 63
///   ┌───────────────┬───────────────┬───────────────┬───────────────────┬───────────────────┬───┐
///   │ physicMillis  │ logicsMillis  │ indexMillis   │ flushed logOffset │ confirmOffset     │ 0 │  RocketMQ
///   └───────────────┴───────────────┴───────────────┴───────────────────┴───────────────────┴───┘
///   64              72              80              88              96              104    108 … 4095
///   ┌───────────────┬───────────────┬───────────────┬───────────────┬───────────────┬──────┬───┐
///   │ GANTRY 0 1    │ logOffset     │ entryCount    │ physicMillis  │ logicsMillis  │ CRC  │ 0 │  ours
///   └───────────────┴───────────────┴───────────────┴───────────────┴───────────────┴──────┴───┘
/// ```
/// Behind it, from 128 on, stands the `IndexMark`.
///
/// RocketMQ knows the first line and leaves the rest alone, so our part counts only while its copies of the two times
/// equal the first line: otherwise a RocketMQ broker has run in between, and only the times are to be trusted.
///
/// For:   knowing at start from where the log must be looked through.
/// Owner: none (immutable).
/// Never: written in place; see `Export.overwrite`.
///
/// @param physicMillis storeMillis of the last record that is known to be on disk
/// @param logicsMillis the same of the last queue entry, and of the keys where those are behind
/// @param indexMillis index files that end later are deleted by a RocketMQ broker after a kill; see
///        `IndexMark.reliableMillis`
/// @param mark null when only the times are to be trusted
/// @param index null when only the times are to be trusted
/// @param foreign whether a RocketMQ broker wrote it last
record Checkpoint(
        long physicMillis,
        long logicsMillis,
        long indexMillis,
        @Nullable Mark mark,
        @Nullable IndexMark index,
        boolean foreign) {
    static final FileId FILE = new FileId("checkpoint");

    /// Nothing is known.
    static final Checkpoint NONE = new Checkpoint(0, 0, 0, null, null, false);

    private static final int FILE_BYTES = 4096;
    private static final int RECORD_BYTES = 40;
    private static final int MARK_AT = 64;
    private static final int CRC_AT = 104;
    private static final int END_AT = 108;
    private static final long MAGIC = 0x47414E5452590001L;

    /// RocketMQ's allowance for clocks and for what was on its way.
    private static final long SAFETY_MILLIS = 3000;

    /// No time of a message lies behind it (the year 2248).
    private static final long LATEST_MILLIS = 1L << 43;

    /// A place in the log.
    ///
    /// @param logOffset the log below it, and every queue entry of it, is on disk
    /// @param storeMillis of the last record below it
    /// @param entryCount the sum of all queues' next offsets there
    record Mark(long logOffset, long storeMillis, long entryCount) {
        /// The same place, when queues have begun in the middle since it was noted: their files tell of so many more.
        Mark plus(long entries) {
            return new Mark(logOffset, storeMillis, entryCount + entries);
        }
    }

    /// A segment whose first record was stored at or before this time lies before everything that may be missing.
    long safeMillis() {
        return Math.max(0, Math.min(physicMillis, logicsMillis) - SAFETY_MILLIS);
    }

    /// @param index also what it lacks: after a kill a RocketMQ broker dispatches the log again from the lesser of the
    ///        first two times, queues and keys alike
    static byte[] encode(Mark mark, IndexMark index) {
        long physicMillis = mark.storeMillis;
        long logicsMillis = index.logOffset() >= mark.logOffset ? physicMillis : Math.min(physicMillis, index.millis());
        byte[] content = new byte[FILE_BYTES];
        ByteBuffer bytes = ByteBuffer.wrap(content);
        bytes.putLong(physicMillis).putLong(logicsMillis).putLong(index.reliableMillis());
        bytes.putLong(mark.logOffset).putLong(mark.logOffset);
        bytes.position(MARK_AT);
        bytes.putLong(MAGIC).putLong(mark.logOffset).putLong(mark.entryCount);
        bytes.putLong(physicMillis).putLong(logicsMillis);
        bytes.putInt(crc(bytes));
        index.write(bytes);
        return content;
    }

    /// Reads what is there; anything that makes no sense is as good as nothing, and costs a longer look at the log.
    static Checkpoint load(Disk disk, Notices notices) throws DiskFailed {
        byte[] content = Export.read(disk, FILE);
        if (content == null) {
            return NONE;
        }
        if (content.length < RECORD_BYTES) {
            notices.warn(disk.describe(FILE) + " has " + content.length + " bytes instead of " + FILE_BYTES
                    + ": the whole log is checked instead");
            return NONE;
        }
        return decode(ByteBuffer.wrap(content));
    }

    /// What is wrong with a checkpoint's content; null when it can be believed, ours or RocketMQ's.
    static @Nullable String wrongWith(byte[] content) {
        ByteBuffer bytes = ByteBuffer.wrap(content);
        if (content.length < RECORD_BYTES) {
            return "has " + content.length + " bytes instead of " + FILE_BYTES;
        }
        if (bytes.getLong(0) == 0 && bytes.getLong(Long.BYTES) == 0 && !isOurs(bytes)) {
            return "holds no times";
        }
        if (isOurs(bytes) && bytes.getInt(CRC_AT) != crc(bytes)) {
            return "has a checksum that does not match";
        }
        return null;
    }

    private static boolean isOurs(ByteBuffer bytes) {
        return bytes.capacity() >= END_AT && bytes.getLong(MARK_AT) == MAGIC;
    }

    private static Checkpoint decode(ByteBuffer bytes) {
        long physic = bytes.getLong();
        long logics = bytes.getLong();
        long index = bytes.getLong();
        Mark mark = decodeMark(bytes, physic, logics);
        boolean foreign = mark == null && (isOurs(bytes) ? isWhole(bytes) : isTime(physic) && isTime(logics));
        return new Checkpoint(physic, logics, index, mark, mark == null ? null : IndexMark.read(bytes), foreign);
    }

    private static boolean isWhole(ByteBuffer bytes) {
        return bytes.getInt(CRC_AT) == crc(bytes);
    }

    private static boolean isTime(long millis) {
        return millis > 0 && millis < LATEST_MILLIS;
    }

    private static @Nullable Mark decodeMark(ByteBuffer bytes, long physic, long logics) {
        if (!isOurs(bytes) || !isWhole(bytes)) {
            return null;
        }
        bytes.position(MARK_AT + Long.BYTES);
        Mark mark = new Mark(bytes.getLong(), physic, bytes.getLong());
        boolean untouched = bytes.getLong() == physic && bytes.getLong() == logics;
        return untouched && mark.logOffset >= 0 && mark.entryCount >= 0 ? mark : null;
    }

    private static int crc(ByteBuffer bytes) {
        CRC32 crc = new CRC32();
        crc.update(bytes.slice(MARK_AT, CRC_AT - MARK_AT));
        return (int) crc.getValue();
    }
}
