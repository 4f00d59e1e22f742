package gantry.store;

import gantry.store.Disk.Done;
import gantry.store.Disk.FileEntry;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/// Clears away what a crash has left of topics that were dropped.
///
/// For:   recovery, and the repair of a store that nobody has open.
/// Owner: its caller; blocks.
/// Never: files of a topic that RocketMQ made anew under that name: RocketMQ begins at 0 again, and knows no rows.
final class DroppedLoad {
    private static final int BLOCK_ENTRIES = 512;

    private final Disk disk;
    private final DroppedTopics dropped;
    private final long queueFileBytes;
    private final boolean ours;

    /// @param ours whether surely no RocketMQ broker has run since the rows were written
    DroppedLoad(Disk disk, DroppedTopics dropped, long queueFileBytes, boolean ours) {
        this.disk = disk;
        this.dropped = dropped;
        this.queueFileBytes = queueFileBytes;
        this.ours = ours;
    }

    /// Deletes what is left of a topic of that name, or forgets its row when RocketMQ has made it anew.
    void clear(String topic) throws DiskFailed {
        DroppedTopic row = dropped.find(topic);
        if (row == null) {
            return;
        }
        TopicFiles files = new TopicFiles(disk, topic, queueFileBytes);
        String folder = QueueFiles.ROOT + "/" + topic;
        if (!ours) {
            for (FileEntry id : disk.list(folder)) {
                if (QueueLoads.queueIdOf(id) >= 0 && isReborn(folder + "/" + id.name(), files, row)) {
                    dropped.forget(topic);
                    return;
                }
            }
        }
        List<String> folders = new ArrayList<>();
        if (files.deleteBelow(row.begin(), folders) instanceof Done.Failed failed) {
            throw new DiskFailed(failed);
        }
        for (String empty : folders) {
            if (disk.deleteFolder(empty) instanceof Done.Failed failed) {
                throw new DiskFailed(failed);
            }
        }
    }

    /// Whether an entry below the row's begin belongs to a message behind it.
    private boolean isReborn(String folder, TopicFiles files, DroppedTopic row) throws DiskFailed {
        ByteBuffer block = ByteBuffer.allocate(BLOCK_ENTRIES * EntryChunk.ENTRY_BYTES);
        for (FileEntry file : disk.list(folder)) {
            long position = 0;
            while (files.isBelow(file, row.begin()) && position < file.bytes()) {
                block.clear();
                if (disk.read(new FileId(folder + "/" + file.name()), position, block) instanceof Done.Failed failed) {
                    throw new DiskFailed(failed);
                }
                int count = block.position() / EntryChunk.ENTRY_BYTES;
                for (int i = 0; i < count; i++) {
                    int size = block.getInt(i * EntryChunk.ENTRY_BYTES + EntryChunk.SIZE_AT);
                    if (size > 0 && block.getLong(i * EntryChunk.ENTRY_BYTES) >= row.logOffset()) {
                        return true;
                    }
                }
                position = count == 0 ? file.bytes() : position + (long) count * EntryChunk.ENTRY_BYTES;
            }
        }
        return false;
    }
}
