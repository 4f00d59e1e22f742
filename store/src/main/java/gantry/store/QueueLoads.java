package gantry.store;

import gantry.base.Notices;
import gantry.store.Disk.Done;
import gantry.store.Disk.FileEntry;
import gantry.store.QueueEnds.End;
import gantry.store.StoreShape.QueueKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Loads all queues at open, and says which of them have lost files.
///
/// ```
///   files ─▶ QueueLoad ─▶ as `QueueEnds` says ─▶ believed
///                   │ └── not: lost here, made again while the store serves (its end is known)
///                   └──── there is no `QueueEnds`, and they make no sense: made again before the store serves
/// ```
/// For:   a start that serves every queue at once, whatever has become of its files.
/// Owner: recovery.
/// Never: touches a file before it is written down that it is not to be believed.
final class QueueLoads {
    /// Queues that are told one by one.
    private static final int MOST_TOLD = 20;

    private final Disk disk;
    private final Notices notices;
    private final Segments segments;
    private final Queues queues;
    private final Redispatch redispatch;
    private final @Nullable QueueEnds ends;
    private final RecoveryWatch watch;
    private final DroppedLoad leftovers;
    private final Map<ConsumeQueue, End> lost = new LinkedHashMap<>();
    private long doubtfulHead = -1;
    private long told;

    QueueLoads(
            Disk disk,
            Notices notices,
            Segments segments,
            Queues queues,
            Redispatch redispatch,
            @Nullable QueueEnds ends,
            boolean ours,
            RecoveryWatch watch) {
        this.disk = disk;
        this.notices = notices;
        this.segments = segments;
        this.queues = queues;
        this.redispatch = redispatch;
        this.ends = ends;
        this.watch = watch;
        this.leftovers = new DroppedLoad(disk, queues.dropped(), queues.queueFileBytes(), ours);
    }

    /// Queues that are made again while the store serves.
    List<ConsumeQueue> lost() {
        return List.copyOf(lost.keySet());
    }

    /// How many entries the lost queues had at the most, all together.
    long lostEntryCount() {
        long sum = 0;
        for (Map.Entry<ConsumeQueue, End> each : lost.entrySet()) {
            sum += each.getValue().end() - each.getKey().begin();
        }
        return sum;
    }

    /// How many entries the others have, or had before they were dropped.
    long keptEntryCount() {
        long sum = queues.dropped().entryCount();
        for (ConsumeQueue queue : queues.all()) {
            sum += lost.containsKey(queue) ? 0 : queue.givenCount();
        }
        return sum;
    }

    /// The part of the log below it has to be read for messages before the begin of their queues; -1 for none.
    long doubtfulHead() {
        return doubtfulHead;
    }

    /// @param trusted entries of records below it are on disk
    void run(long trusted, boolean clean) throws DiskFailed {
        Set<QueueKey> found = new LinkedHashSet<>();
        for (FileEntry topic : disk.list(QueueFiles.ROOT)) {
            if (topic.folder()) {
                leftovers.clear(topic.name());
                for (FileEntry id : disk.list(QueueFiles.ROOT + "/" + topic.name())) {
                    QueueKey key = load(trusted, clean, topic.name(), id);
                    if (key != null) {
                        found.add(key);
                    }
                }
                watch.queues("have been looked at", found.size());
            }
        }
        QueueEnds known = ends;
        if (known != null) {
            known.queues().forEach((key, end) -> {
                if (!found.contains(key) && end.end() > queues.dropped().beginOf(key.topic())) {
                    ConsumeQueue queue = queues.findOrMake(key.topic(), key.queueId());
                    if (end.rebuilding()) {
                        // It may never have had any: of a log that was copied, all queues are made in this way.
                        lost.put(queue, end);
                    } else {
                        lose(queue, end, "has no files any more");
                    }
                }
            });
            setAside(known);
        }
    }

    private @Nullable QueueKey load(long trusted, boolean clean, String topic, FileEntry id) throws DiskFailed {
        int queueId = queueIdOf(id);
        if (queueId < 0) {
            notices.warn(disk.describe(new FileId(QueueFiles.ROOT + "/" + topic + "/" + id.name()))
                    + " is not the folder of a queue and is left alone.");
            return null;
        }
        QueueKey key = new QueueKey(topic, queueId);
        ConsumeQueue queue = queues.findOrMake(topic, queueId);
        if (ends != null && known(ends, key).rebuilding()) {
            lose(queue, known(ends, key), "was being rebuilt when the store stopped");
            return key;
        }
        QueueLoad load = new QueueLoad(queue, disk, segments, trusted);
        boolean whole = load.run(clean, ends == null ? null : known(ends, key), notices);
        if (ends == null) {
            if (whole) {
                doubtfulHead = Math.max(doubtfulHead, load.doubtfulHead());
            } else {
                redispatch.needsRebuild(queue, load.capacityEnd());
            }
            return key;
        }
        End end = known(ends, key);
        if (!whole) {
            lose(queue, end, "has files that make no sense");
        } else {
            String wrong = load.wrongWith(end);
            if (!wrong.isEmpty()) {
                lose(queue, end, wrong);
            } else if (queue.next() < end.end()) {
                redispatch.keepWritten(queue);
            }
        }
        return key;
    }

    /// What was known of a queue, unless it was one of an earlier topic of that name.
    private End known(QueueEnds written, QueueKey key) {
        long begin = queues.dropped().beginOf(key.topic());
        End end = written.of(key);
        return begin > 0 && end.end() <= begin ? new End(begin, begin, false) : end;
    }

    /// @return -1 when it is not the folder of a queue
    static int queueIdOf(FileEntry id) {
        if (!id.folder() || !id.name().matches("0|[1-9][0-9]{0,8}")) {
            return -1;
        }
        return Integer.parseInt(id.name());
    }

    private void lose(ConsumeQueue queue, End end, String why) {
        lost.put(queue, new End(end.min(), Math.max(end.end(), queue.next()), true));
        if (++told <= MOST_TOLD) {
            notices.warn("Consume queue " + queue + " " + why
                    + ": it is rebuilt from the commit log while everything is" + " served.");
        }
    }

    /// Writes down that their files are not to be believed, and takes those away: from here on they hold only
    /// what is made again.
    private void setAside(QueueEnds known) throws DiskFailed {
        if (lost.isEmpty()) {
            return;
        }
        check(Export.overwrite(disk, QueueEnds.FILE, known.with(lostEnds())));
        List<FileId> gone = new ArrayList<>();
        for (Map.Entry<ConsumeQueue, End> entry : lost.entrySet()) {
            ConsumeQueue queue = entry.getKey();
            for (FileEntry file : disk.list(queue.files.folder())) {
                if (!file.folder() && Names.offsetOf(file.name()) >= 0) {
                    gone.add(new FileId(queue.files.folder() + "/" + file.name()));
                }
            }
            redispatch.rebuildLater(
                    queue, entry.getValue().min(), entry.getValue().end());
        }
        for (FileId file : gone) {
            check(disk.delete(file));
        }
    }

    private Map<QueueKey, End> lostEnds() {
        Map<QueueKey, End> all = new LinkedHashMap<>();
        lost.forEach((queue, end) -> all.put(new QueueKey(queue.topic(), queue.queueId()), end));
        return all;
    }

    /// After the log's end is found, and before entries behind it are cut away: what was written down must not say more
    /// than the log does, or those entries would be missed by the next start.
    void followLog() throws DiskFailed {
        QueueEnds known = ends;
        if (known == null) {
            return;
        }
        Map<QueueKey, End> less = new LinkedHashMap<>();
        known.queues().forEach((key, end) -> {
            ConsumeQueue queue = queues.find(key.topic(), key.queueId());
            if (queue != null && !lost.containsKey(queue) && queue.maxOffset() < end.end()) {
                less.put(key, new End(Math.min(end.min(), queue.maxOffset()), queue.maxOffset(), false));
            }
        });
        if (!less.isEmpty()) {
            less.putAll(lostEnds());
            check(Export.overwrite(disk, QueueEnds.FILE, known.with(less)));
        }
    }

    private static void check(Done done) throws DiskFailed {
        if (done instanceof Done.Failed failed) {
            throw new DiskFailed(failed);
        }
    }
}
