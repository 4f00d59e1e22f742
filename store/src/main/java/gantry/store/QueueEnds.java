package gantry.store;

import gantry.store.Checkpoint.Mark;
import gantry.store.StoreShape.QueueKey;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/// Where every queue ended when the checkpoint was written, in a file beside it.
///
/// ```
///   0              8              16             24             32       36
///   ┌──────────────┬──────────────┬──────────────┬──────────────┬────────┬─────────┬─ … ─┬─────┐
///   │ GANTRYQ 1    │ logOffset    │ storeMillis  │ entryCount   │ count  │ queue   │     │ CRC │
///   └──────────────┴──────────────┴──────────────┴──────────────┴────────┴─────────┴─ … ─┴─────┘
///   a queue:  length of the topic (2) │ topic, UTF-8 │ queueId (4) │ minOffset (8) │ end (8) │ 1: being rebuilt (1)
/// ```
/// So a queue whose files are lost is known by name, and so is the offset that its next message gets: it can be served
/// at once, and its files are made again meanwhile. The file also stands in for a checkpoint that is lost.
///
/// For:   a start that must not look through the whole log to know where each queue goes on.
/// Owner: none (immutable); written with the checkpoint.
/// Never: needed: without it, or with one that makes no sense, a start that misses entries compares the whole log.
/// Holds: ENDS-1 the files hold every entry below `end`, unless the queue is being rebuilt; ENDS-2 no entry of a record
///        below `logOffset` lies at or above `end`.
///
/// @param mark the place in the log that it stands for
record QueueEnds(Mark mark, Map<QueueKey, End> queues) {
    static final FileId FILE = new FileId("checkpoint.queues");

    private static final long MAGIC = 0x47414E5452595101L;
    private static final int COUNT_AT = 32;
    private static final int HEAD_BYTES = 36;
    private static final int FIXED_BYTES = 2 + 4 + 8 + 8 + 1;
    private static final int CRC_BYTES = 4;

    /// One queue.
    ///
    /// @param rebuilding its files are not to be believed
    record End(long min, long end, boolean rebuilding) {
        static final End NONE = new End(0, 0, false);
    }

    /// What was known of a queue; `NONE` for one that was not there.
    End of(QueueKey key) {
        return queues.getOrDefault(key, End.NONE);
    }

    /// Gathers the content of the file.
    static final class Writer {
        private ByteBuffer bytes = ByteBuffer.allocate(4096);
        private int count;

        Writer(Mark mark) {
            bytes.putLong(MAGIC)
                    .putLong(mark.logOffset())
                    .putLong(mark.storeMillis())
                    .putLong(mark.entryCount());
            bytes.putInt(0);
        }

        Writer add(String topic, int queueId, End end) {
            byte[] name = topic.getBytes(StandardCharsets.UTF_8);
            int needed = FIXED_BYTES + name.length + CRC_BYTES;
            if (bytes.remaining() < needed) {
                bytes = ByteBuffer.allocate(Math.max(bytes.capacity() * 2, bytes.position() + needed))
                        .put(bytes.flip());
            }
            bytes.putShort((short) name.length).put(name).putInt(queueId);
            bytes.putLong(end.min()).putLong(end.end()).put((byte) (end.rebuilding() ? 1 : 0));
            count++;
            return this;
        }

        byte[] content() {
            bytes.putInt(COUNT_AT, count);
            int crc = crc(bytes.array(), bytes.position());
            bytes.putInt(crc);
            return Arrays.copyOf(bytes.array(), bytes.position());
        }
    }

    /// The content as it was, but with some queues' ends replaced.
    byte[] with(Map<QueueKey, End> others) {
        Map<QueueKey, End> all = new LinkedHashMap<>(queues);
        all.putAll(others);
        Writer writer = new Writer(mark);
        all.forEach((key, end) -> writer.add(key.topic(), key.queueId(), end));
        return writer.content();
    }

    /// @return null when there is none that makes sense
    static @Nullable QueueEnds load(Disk disk) throws DiskFailed {
        return load(disk, FILE);
    }

    static @Nullable QueueEnds load(Disk disk, FileId file) throws DiskFailed {
        byte[] content = Export.readOnly(disk, file);
        return content == null ? null : decode(content);
    }

    private static @Nullable QueueEnds decode(byte[] content) {
        ByteBuffer bytes = ByteBuffer.wrap(content);
        int end = content.length - CRC_BYTES;
        if (end < HEAD_BYTES || bytes.getLong(0) != MAGIC || bytes.getInt(end) != crc(content, end)) {
            return null;
        }
        bytes.position(Long.BYTES);
        Mark mark = new Mark(bytes.getLong(), bytes.getLong(), bytes.getLong());
        int count = bytes.getInt();
        Map<QueueKey, End> queues = LinkedHashMap.newLinkedHashMap(count);
        for (int i = 0; i < count; i++) {
            byte[] name = new byte[Short.toUnsignedInt(bytes.getShort())];
            bytes.get(name);
            QueueKey key = new QueueKey(new String(name, StandardCharsets.UTF_8), bytes.getInt());
            queues.put(key, new End(bytes.getLong(), bytes.getLong(), bytes.get() != 0));
        }
        return new QueueEnds(mark, queues);
    }

    private static int crc(byte[] content, int length) {
        CRC32 crc = new CRC32();
        crc.update(content, 0, length);
        return (int) crc.getValue();
    }
}
