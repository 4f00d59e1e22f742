package gantry.store;

import gantry.base.Image;
import java.nio.ByteBuffer;

/// The files of one consume queue.
///
/// ```
///   consumequeue/TOPIC/ID/00000000000000000000, …: entry n stands at byte n × 20 of the chain of files
/// ```
/// For:   where an entry stands.
/// Owner: none (the remembered file is a cache that anybody may replace).
/// Never: which entries are valid.
final class QueueFiles {
    static final String ROOT = "consumequeue";

    /// The size of an entry that only fills the place before a queue's first message; its logOffset is 0.
    static final int FILLER_SIZE = Integer.MAX_VALUE;

    private record Named(long start, FileId file) {}

    private final String folder;
    private final long fileBytes;
    private final Image<Named> last;

    QueueFiles(String topic, int queueId, long fileBytes) {
        this.folder = ROOT + "/" + topic + "/" + queueId;
        this.fileBytes = fileBytes;
        this.last = new Image<>(new Named(0, new FileId(folder + "/" + Names.ofOffset(0))));
    }

    String folder() {
        return folder;
    }

    long fileBytes() {
        return fileBytes;
    }

    long entriesPerFile() {
        return fileBytes / EntryChunk.ENTRY_BYTES;
    }

    /// The file with the entry.
    FileId fileOf(long queueOffset) {
        long start = queueOffset * EntryChunk.ENTRY_BYTES / fileBytes * fileBytes;
        Named named = last.read();
        if (named.start != start) {
            named = new Named(start, new FileId(folder + "/" + Names.ofOffset(start)));
            last.publish(named);
        }
        return named.file;
    }

    /// Where the entry stands in its file.
    long positionOf(long queueOffset) {
        return queueOffset * EntryChunk.ENTRY_BYTES % fileBytes;
    }

    /// How many entries its file holds from this one on.
    long roomFrom(long queueOffset) {
        return (fileBytes - positionOf(queueOffset)) / EntryChunk.ENTRY_BYTES;
    }

    /// Reads entries from one file until the buffer is full or the file ends.
    Disk.Done read(Disk disk, long queueOffset, ByteBuffer into) {
        return disk.read(fileOf(queueOffset), positionOf(queueOffset), into);
    }
}
