package gantry.store;

import gantry.base.Directory;
import gantry.base.Image;
import gantry.base.Notices;
import gantry.base.Published;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/// What is to be remembered of topics whose queues were deleted while the log still has their messages.
///
/// ```
///   0               8               16       20              (each row)                              at the end
///   ┌───────────────┬───────────────┬────────┬────────┬──────────┬───────────────┬───────────────┬───┬──────┐
///   │ GANTRY DROP 1 │ entryCount    │ rows   │ length │ topic    │ logOffset     │ begin         │ … │ CRC  │
///   └───────────────┴───────────────┴────────┴────────┴──────────┴───────────────┴───────────────┴───┴──────┘
/// ```
/// For:   the file `droppedtopics` (design page 006), and questions about it.
/// Owner: recovery, then the log sequencer; `find` may be called by anybody.
/// Never: a topic of which the log has nothing, unless it lives again.
/// Holds: DROP-1 a queue file is deleted only after the row that tells of it is on disk; DROP-2 no row names a place
///        in the log that is not on disk.
final class DroppedTopics {
    static final FileId FILE = new FileId("droppedtopics");

    /// More rows than this are not kept: of the oldest that do not live again nothing is known then.
    static final int MOST_ROWS = 100_000;

    private static final long MAGIC = 0x47414E54_44524F31L;
    private static final int HEAD_BYTES = 20;
    private static final int ROW_BYTES = 2 + 16;

    private final Directory<String, DroppedTopic> rows = new Directory<>();
    private final Published entryCount = new Published(0);
    private final Image<Boolean> settled = new Image<>(true);

    /// Reads the file; what makes no sense is told, and is as good as nothing.
    static DroppedTopics load(Disk disk, Notices notices) throws DiskFailed {
        return load(disk, FILE, notices);
    }

    static DroppedTopics load(Disk disk, FileId file, Notices notices) throws DiskFailed {
        DroppedTopics table = new DroppedTopics();
        byte[] content = Export.readOnly(disk, file);
        if (content != null && !table.decode(content)) {
            notices.alarm(
                    disk.describe(file) + " cannot be read: topics that were deleted lately may have messages again"
                            + " when they are created anew. Look at them, and delete them again if so.");
        }
        return table;
    }

    @Nullable
    DroppedTopic find(String topic) {
        return rows.find(topic);
    }

    /// A topic that was dropped when the log had come further than this; null when there is none.
    @Nullable
    DroppedTopic droppedAbove(long logOffset) {
        for (DroppedTopic row : rows.values()) {
            if (row.logOffset() > logOffset) {
                return row;
            }
        }
        return null;
    }

    /// Where the log ended at the newest drop; 0 when there is no row.
    long newest() {
        long newest = 0;
        for (DroppedTopic row : rows.values()) {
            newest = Math.max(newest, row.logOffset());
        }
        return newest;
    }

    /// Where the queues of a topic begin that has none.
    long beginOf(String topic) {
        DroppedTopic row = rows.find(topic);
        return row == null ? 0 : row.begin();
    }

    /// Whether a message was gone with an earlier topic of that name.
    boolean covers(String topic, long logOffset) {
        if (rows.size() == 0) {
            return false;
        }
        DroppedTopic row = rows.find(topic);
        return row != null && logOffset < row.logOffset();
    }

    /// How many entries the queues of all dropped topics ever had.
    long entryCount() {
        return entryCount.read();
    }

    int count() {
        return rows.size();
    }

    /// Whether all rows are on disk.
    boolean isSettled() {
        return settled.read();
    }

    void settled(boolean all) {
        settled.publish(all);
    }

    void put(DroppedTopic row, long entries) {
        rows.put(row.topic(), row);
        entryCount.advance(entryCount.read() + entries);
    }

    void forget(String topic) {
        rows.remove(topic);
    }

    /// Forgets rows that nothing depends on any more: those whose messages the log has let go, and above
    /// `MOST_ROWS` the oldest.
    ///
    /// @param lives whether a topic has queues now, which begin where its row says
    void prune(long logMin, Predicate<String> lives) {
        List<DroppedTopic> dead = new ArrayList<>();
        for (DroppedTopic row : rows.values()) {
            if (!lives.test(row.topic())) {
                dead.add(row);
            }
        }
        dead.sort(Comparator.comparingLong(DroppedTopic::logOffset).thenComparing(DroppedTopic::topic));
        int surplus = rows.size() - MOST_ROWS;
        for (int i = 0; i < dead.size(); i++) {
            if (i < surplus || dead.get(i).logOffset() <= logMin) {
                rows.remove(dead.get(i).topic());
            }
        }
    }

    /// After a loss of power the log may end before the place that a row names; then what comes now is not gone.
    ///
    /// @return whether anything has changed
    boolean endAt(long logEnd) {
        boolean changed = false;
        for (DroppedTopic row : List.copyOf(rows.values())) {
            if (row.logOffset() > logEnd) {
                rows.put(row.topic(), new DroppedTopic(row.topic(), logEnd, row.begin()));
                changed = true;
            }
        }
        return changed;
    }

    byte[] encode() {
        List<DroppedTopic> all = new ArrayList<>(rows.values());
        all.sort(Comparator.comparing(DroppedTopic::topic));
        List<byte[]> names = new ArrayList<>(all.size());
        int size = HEAD_BYTES + Integer.BYTES;
        for (DroppedTopic row : all) {
            byte[] name = row.topic().getBytes(StandardCharsets.UTF_8);
            names.add(name);
            size += ROW_BYTES + name.length;
        }
        ByteBuffer bytes = ByteBuffer.allocate(size);
        bytes.putLong(MAGIC).putLong(entryCount.read()).putInt(all.size());
        for (int i = 0; i < all.size(); i++) {
            byte[] name = names.get(i);
            bytes.putShort((short) name.length).put(name);
            bytes.putLong(all.get(i).logOffset()).putLong(all.get(i).begin());
        }
        return bytes.putInt(crc(bytes.array(), bytes.position())).array();
    }

    private boolean decode(byte[] content) {
        int end = content.length - Integer.BYTES;
        ByteBuffer bytes = ByteBuffer.wrap(content);
        if (end < HEAD_BYTES || bytes.getLong() != MAGIC || bytes.getInt(end) != crc(content, end)) {
            return false;
        }
        long entries = bytes.getLong();
        int count = bytes.getInt();
        bytes.limit(end);
        for (int i = 0; i < count; i++) {
            if (bytes.remaining() < Short.BYTES) {
                return false;
            }
            byte[] name = new byte[Short.toUnsignedInt(bytes.getShort())];
            if (bytes.remaining() < name.length + 2 * Long.BYTES) {
                return false;
            }
            bytes.get(name);
            String topic = new String(name, StandardCharsets.UTF_8);
            rows.put(topic, new DroppedTopic(topic, bytes.getLong(), bytes.getLong()));
        }
        entryCount.reset(entries);
        return true;
    }

    private static int crc(byte[] content, int length) {
        CRC32 crc = new CRC32();
        crc.update(content, 0, length);
        return (int) crc.getValue();
    }
}
