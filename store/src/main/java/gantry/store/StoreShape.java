package gantry.store;

import gantry.store.Disk.FileEntry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Which files a stopped store consists of, and of what sizes, told by the files alone.
///
/// For:   checking a store without the configuration with which it was written.
/// Owner: none (immutable).
/// Never: the content of a file.
///
/// @param segmentBytes the length that most files of the log have
/// @param logBases ascending; only names that can be right
/// @param queueFileBytes the length that most files of the queues have
/// @param queues the folders of queues by topic and id, with their files
/// @param totalBytes of all files that will be read
record StoreShape(
        long segmentBytes,
        List<Long> logBases,
        long queueFileBytes,
        Map<QueueKey, List<FileEntry>> queues,
        long totalBytes) {
    /// Which queue.
    record QueueKey(String topic, int queueId) {}

    private static final long USUAL_QUEUE_FILE_BYTES = 6_000_000;

    /// Whether a file of the log is missing between others.
    boolean hasGap() {
        return logBases.getLast() - logBases.getFirst() != (logBases.size() - 1) * segmentBytes;
    }

    static StoreShape of(Disk disk, Findings findings) throws DiskFailed, OpenFailed {
        List<FileEntry> logFiles = new ArrayList<>();
        for (FileEntry entry : disk.list(Segments.FOLDER)) {
            if (!entry.folder()) {
                logFiles.add(entry);
            }
        }
        if (logFiles.isEmpty()) {
            throw new OpenFailed(disk.describe(new FileId(Segments.FOLDER)) + " has no files: there is no store here."
                    + " Name the folder in which commitlog and consumequeue lie.");
        }
        long segmentBytes = usualLength(logFiles, 0);
        List<Long> bases = bases(logFiles, segmentBytes, findings);
        Map<QueueKey, List<FileEntry>> queues = new LinkedHashMap<>();
        List<FileEntry> queueFiles = new ArrayList<>();
        for (FileEntry topic : disk.list(QueueFiles.ROOT)) {
            if (topic.folder()) {
                readTopic(disk, topic.name(), queues, queueFiles, findings);
            } else {
                foreign(findings, QueueFiles.ROOT + "/" + topic.name());
            }
        }
        long queueFileBytes = usualLength(queueFiles, USUAL_QUEUE_FILE_BYTES);
        return new StoreShape(segmentBytes, bases, queueFileBytes, queues, bases.size() * segmentBytes);
    }

    /// Takes out files that a crash has left of topics that were deleted: the next start deletes them.
    void dropLeftovers(DroppedTopics dropped, Findings findings) {
        for (Map.Entry<QueueKey, List<FileEntry>> entry : List.copyOf(queues.entrySet())) {
            QueueKey key = entry.getKey();
            DroppedTopic row = dropped.find(key.topic());
            long begin = row == null ? 0 : row.begin() * EntryChunk.ENTRY_BYTES;
            List<FileEntry> own = new ArrayList<>(entry.getValue());
            if (own.removeIf(file -> Names.offsetOf(file.name()) < begin)) {
                findings.note(
                        new FileId(QueueFiles.ROOT + "/" + key.topic() + "/" + key.queueId()),
                        -1,
                        "has files of a topic that was deleted; the next start deletes them");
                if (own.isEmpty()) {
                    queues.remove(key);
                } else {
                    queues.put(key, own);
                }
            }
        }
    }

    private static void readTopic(
            Disk disk,
            String topic,
            Map<QueueKey, List<FileEntry>> queues,
            List<FileEntry> queueFiles,
            Findings findings)
            throws DiskFailed {
        for (FileEntry id : disk.list(QueueFiles.ROOT + "/" + topic)) {
            String path = QueueFiles.ROOT + "/" + topic + "/" + id.name();
            int queueId = QueueLoads.queueIdOf(id);
            if (queueId < 0) {
                foreign(findings, path);
                continue;
            }
            List<FileEntry> files = new ArrayList<>();
            for (FileEntry file : disk.list(path)) {
                if (file.folder() || Names.offsetOf(file.name()) < 0) {
                    foreign(findings, path + "/" + file.name());
                } else {
                    files.add(file);
                    queueFiles.add(file);
                }
            }
            queues.put(new QueueKey(topic, queueId), files);
        }
    }

    private static void foreign(Findings findings, String path) {
        findings.note(new FileId(path), -1, "does not belong to a store and is left alone");
    }

    /// The length that most have; among equals the shortest.
    private static long usualLength(List<FileEntry> files, long otherwise) {
        Map<Long, Integer> counts = new LinkedHashMap<>();
        for (FileEntry file : files) {
            if (Names.offsetOf(file.name()) >= 0 && file.bytes() > 0) {
                counts.merge(file.bytes(), 1, Integer::sum);
            }
        }
        long usual = otherwise;
        int most = 0;
        for (Map.Entry<Long, Integer> entry : counts.entrySet()) {
            if (entry.getValue() > most || (entry.getValue() == most && entry.getKey() > usual)) {
                usual = entry.getKey();
                most = entry.getValue();
            }
        }
        return usual;
    }

    private static List<Long> bases(List<FileEntry> files, long segmentBytes, Findings findings) throws OpenFailed {
        List<Long> bases = new ArrayList<>();
        for (FileEntry file : files) {
            FileId id = new FileId(Segments.FOLDER + "/" + file.name());
            long base = Names.offsetOf(file.name());
            if (base < 0) {
                findings.bad(
                        id, -1, "is not a commit-log file; a start is refused until it is moved out of the folder");
            } else if (segmentBytes <= 0 || base % segmentBytes != 0) {
                findings.bad(
                        id,
                        -1,
                        "starts at a place that is not a multiple of " + segmentBytes
                                + ": it has a wrong name, and a start is refused");
            } else {
                if (file.bytes() != segmentBytes) {
                    findings.bad(id, -1, "has " + file.bytes() + " bytes instead of " + segmentBytes);
                }
                if (!bases.isEmpty() && base != bases.getLast() + segmentBytes) {
                    findings.bad(
                            Segments.fileAt(bases.getLast() + segmentBytes),
                            -1,
                            "is missing, maybe with others"
                                    + " behind it; a start is refused until it is restored from a copy");
                }
                bases.add(base);
            }
        }
        if (bases.isEmpty()) {
            throw new OpenFailed(findings.report().findings().getFirst().path()
                    + " is not a commit-log file, and there are no others: there is no store here.");
        }
        return bases;
    }
}
