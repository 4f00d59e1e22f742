package gantry.store;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/// Up to where the key index is on disk; stands in the checkpoint, behind our mark.
///
/// ```
///   128            136             144             152                              192    196
///   ┌──────────────┬───────────────┬───────────────┬────────────────────────────────┬──────┐
///   │ GANTRY I 1   │ logOffset     │ file's name   │ its header, see IndexLayout    │ CRC  │
///   └──────────────┴───────────────┴───────────────┴────────────────────────────────┴──────┘
/// ```
/// For:   knowing at start from where the log must be indexed, and how much of the newest file counts.
/// Owner: none (immutable).
///
/// @param logOffset every key of the messages below it is in a file and on disk
/// @param file the newest file, null when there is none yet
record IndexMark(long logOffset, @Nullable IndexFile file) {
    static final int AT = 128;
    static final int END_AT = 196;

    private static final long MAGIC = 0x47414E5452490001L;
    private static final int CRC_AT = 192;
    private static final long NO_FILE = -1;

    /// Longer than an index file is ahead of the checkpoint.
    private static final long AHEAD_MILLIS = 60_000;

    /// When the last message was stored whose keys are on disk.
    long millis() {
        return file == null ? 0 : file.header().endMillis();
    }

    /// What RocketMQ calls `indexMsgTimestamp`: after a kill its broker deletes index files that end
    /// later, the newest with up to twenty million keys. A file of ours says that it has grown before
    /// the checkpoint does, and only of what is on disk, so it can be relied on while that may be.
    long reliableMillis() {
        return file == null ? 0 : millis() + AHEAD_MILLIS;
    }

    void write(ByteBuffer checkpoint) {
        checkpoint.position(AT);
        checkpoint.putLong(MAGIC).putLong(logOffset).putLong(file == null ? NO_FILE : file.name());
        (file == null ? IndexHeader.EMPTY : file.header()).write(checkpoint);
        checkpoint.putInt(crc(checkpoint));
    }

    static @Nullable IndexMark read(ByteBuffer checkpoint) {
        if (checkpoint.capacity() < END_AT
                || checkpoint.getLong(AT) != MAGIC
                || checkpoint.getInt(CRC_AT) != crc(checkpoint)) {
            return null;
        }
        checkpoint.position(AT + Long.BYTES);
        long logOffset = checkpoint.getLong();
        long name = checkpoint.getLong();
        IndexHeader header = IndexHeader.read(checkpoint);
        return new IndexMark(logOffset, name == NO_FILE ? null : new IndexFile(name, header));
    }

    private static int crc(ByteBuffer checkpoint) {
        CRC32 crc = new CRC32();
        crc.update(checkpoint.slice(AT, CRC_AT - AT));
        return (int) crc.getValue();
    }
}
