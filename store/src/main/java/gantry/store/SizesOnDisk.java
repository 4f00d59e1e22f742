package gantry.store;

import gantry.base.Notices;
import gantry.store.Disk.FileEntry;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Finds out with which file sizes a store was made.
///
/// For:   a store keeps the sizes it was made with, whatever the settings say today; one of RocketMQ's may have any.
/// Owner: `Store.open`.
/// Never: believes the length of a file that a crash of ours may have left short: then the `abort` mark tells.
final class SizesOnDisk {
    /// Queues that are looked at; they have to agree.
    private static final int QUEUES_ASKED = 16;

    private static final long PAGE_BYTES = 4096;

    private final Disk disk;
    private final Notices notices;

    SizesOnDisk(Disk disk, Notices notices) {
        this.disk = disk;
        this.notices = notices;
    }

    /// The settings, with the sizes that are on disk.
    StoreConfig fit(StoreConfig config) throws DiskFailed {
        OpenMark mark = OpenMark.read(disk);
        long segmentBytes = mark == null ? segmentBytes(config.segmentBytes()) : mark.segmentBytes();
        long queueFileBytes = mark == null ? queueFileBytes(config.queueFileBytes()) : mark.queueFileBytes();
        StoreConfig fitting = config;
        try {
            fitting = config.withSegmentBytes(segmentBytes).withQueueFileBytes(queueFileBytes);
        } catch (IllegalArgumentException e) {
            notices.warn("The files of this store have sizes that are not possible here (" + e.getMessage()
                    + "): the settings are used instead");
            return config;
        }
        tell("mappedFileSizeCommitLog", config.segmentBytes(), segmentBytes);
        tell("mappedFileSizeConsumeQueue", config.queueFileBytes(), queueFileBytes);
        return fitting;
    }

    private void tell(String key, long wanted, long found) {
        if (wanted != found) {
            notices.info("The store was made with files of " + found + " bytes, so " + key + " is " + found
                    + " here and " + wanted + " is without effect");
        }
    }

    private long segmentBytes(long configured) throws DiskFailed {
        List<FileEntry> files = filesOf(Segments.FOLDER);
        if (files.isEmpty()) {
            return configured;
        }
        long bytes = files.get(0).bytes();
        for (int i = 0; i < files.size(); i++) {
            long expected = Names.offsetOf(files.get(0).name()) + i * bytes;
            if (Names.offsetOf(files.get(i).name()) != expected || expected % bytes != 0) {
                return configured;
            }
        }
        return bytes % PAGE_BYTES == 0 ? bytes : configured;
    }

    private long queueFileBytes(long configured) throws DiskFailed {
        long agreed = 0;
        int asked = 0;
        for (FileEntry topic : disk.list(QueueFiles.ROOT)) {
            for (FileEntry queue :
                    topic.folder() ? disk.list(QueueFiles.ROOT + "/" + topic.name()) : List.<FileEntry>of()) {
                Long bytes =
                        queue.folder() ? lengthIn(QueueFiles.ROOT + "/" + topic.name() + "/" + queue.name()) : null;
                if (bytes == null) {
                    continue;
                }
                if (agreed != 0 && agreed != bytes) {
                    return configured;
                }
                agreed = bytes;
                if (++asked == QUEUES_ASKED) {
                    return agreed;
                }
            }
        }
        return agreed == 0 ? configured : agreed;
    }

    private @Nullable Long lengthIn(String folder) throws DiskFailed {
        List<FileEntry> files = filesOf(folder);
        if (files.isEmpty()) {
            return null;
        }
        long bytes = files.get(0).bytes();
        boolean possible = bytes % EntryChunk.ENTRY_BYTES == 0
                && Names.offsetOf(files.get(0).name()) % bytes == 0;
        return possible ? bytes : null;
    }

    /// Those with a right name and any content, in order.
    private List<FileEntry> filesOf(String folder) throws DiskFailed {
        List<FileEntry> files = new ArrayList<>();
        for (FileEntry entry : disk.list(folder)) {
            if (!entry.folder() && entry.bytes() > 0 && Names.offsetOf(entry.name()) >= 0) {
                files.add(entry);
            }
        }
        return files;
    }
}
