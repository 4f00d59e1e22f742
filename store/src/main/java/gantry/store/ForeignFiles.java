package gantry.store;

import gantry.base.Notices;
import gantry.store.Disk.FileEntry;
import java.util.List;

/// Knows what RocketMQ keeps beside a plain store, and which of it cannot be carried here.
///
/// For:   one sentence instead of a store that opens with a part of its messages or settings missing.
/// Owner: `Store.open`, before anything is touched.
/// Never: changes anything, or refuses what RocketMQ makes anyway and leaves unused.
final class ForeignFiles {
    private static final String BACK =
            " Nothing was changed: the RocketMQ broker that wrote this store can still open it.";

    /// A RocksDB database has a file of this name.
    private static final String DATABASE = "CURRENT";

    /// Folders below the root, and what to say when there is any file below them.
    private static final List<String> UNREADABLE =
            List.of("batchconsumequeue", "consumequeue_ext", "compaction/compactionLog");

    private static final List<String> CONTROLLED = List.of("brokerIdentity", "epochFileCheckpoint");

    private static final String DLEDGER = "dledger-";

    private final Disk disk;
    private final Notices notices;

    ForeignFiles(Disk disk, Notices notices) {
        this.disk = disk;
        this.notices = notices;
    }

    void refuse() throws DiskFailed, OpenFailed {
        for (FileEntry entry : disk.list("")) {
            if (entry.folder() && entry.name().startsWith(DLEDGER)) {
                throw refused(
                        entry.name(),
                        "holds a DLedger log, whose messages lie in another format than a"
                                + " commit log's. Let consumers finish on that cluster and move producers to a new broker.");
            }
        }
        for (String folder : UNREADABLE) {
            if (holdsFiles(folder)) {
                throw refused(folder, reasonOf(folder));
            }
        }
        refuseDatabases();
        if (Checkpoint.load(disk, (level, text) -> {}).mark() == null) {
            // Where Gantry ran last there were none when it began.
            refuseTimers();
            tellOfController();
        }
    }

    private void tellOfController() throws DiskFailed {
        for (FileEntry entry : disk.list("")) {
            if (CONTROLLED.contains(entry.name())) {
                notices.warn(
                        disk.describe(new FileId(entry.name())) + " says that a controller looked after this broker:"
                                + " Gantry serves the store as a single broker and leaves that file alone. Before RocketMQ's"
                                + " controller mode is used again, see docs/moving-from-and-to-rocketmq.md");
            }
        }
    }

    private static String reasonOf(String folder) {
        return switch (folder) {
            case "batchconsumequeue" ->
                "holds queues of batches (topics with queue.type=BatchCQ), which Gantry does not"
                        + " read. Consume and delete those topics under RocketMQ, then move this folder away.";
            case "consumequeue_ext" ->
                "is used by the consume queues (enableConsumeQueueExt=true), so their entries mean"
                        + " something else than Gantry reads in them. Move this folder, consumequeue and checkpoint away:"
                        + " the queues are made again from the commit log. Or consume all and switch it off first.";
            default ->
                "holds compacted topics (cleanup.policy=COMPACTION), of which older messages are nowhere else."
                        + " Read and delete those topics under RocketMQ, then move this folder away.";
        };
    }

    private void refuseDatabases() throws DiskFailed, OpenFailed {
        for (String queues : new String[] {QueueFiles.ROOT, "consumequeue_rocksdb"}) {
            if (isDatabase(queues)) {
                throw refused(
                        queues,
                        "holds the consume queues in RocksDB (storeType=defaultRocksDB). Start RocketMQ"
                                + " once with rocksdbCQDoubleWriteEnable, or with storeType=default, until the queues are files"
                                + " below consumequeue; then move this folder away.");
            }
        }
        for (FileEntry entry : disk.list("config")) {
            String folder = "config/" + entry.name();
            if (entry.folder() && isDatabase(folder)) {
                throw refused(
                        folder,
                        "holds topics, groups or offsets in RocksDB (configStoreType, configRocksDBEnable"
                                + " or enableConfigRocksDB). Export them to the JSON files with mqadmin exportMetadataInRocksDB"
                                + " and rocksDBConfigToJson, stop the broker, then move this folder away.");
            }
        }
    }

    private boolean isDatabase(String folder) throws DiskFailed {
        return disk.list(folder).stream().anyMatch(entry -> entry.name().equals(DATABASE));
    }

    private boolean holdsFiles(String folder) throws DiskFailed {
        for (FileEntry entry : disk.list(folder)) {
            if (entry.folder() ? holdsFiles(folder + "/" + entry.name()) : entry.bytes() > 0) {
                return true;
            }
        }
        return false;
    }

    private void refuseTimers() throws DiskFailed, OpenFailed {
        TimerWheel.Pending pending = new TimerWheel(disk).pending();
        if (pending.count() > 0) {
            throw refused(
                    TimerWheel.FILE.path(),
                    "holds " + pending.count() + " messages that wait for their time, the"
                            + " last until " + pending.until()
                            + ": Gantry does not deliver RocketMQ's timer messages yet. Let"
                            + " RocketMQ deliver them, or recall them, and start Gantry then. Messages with a delay level are"
                            + " not meant: those are carried over.");
        }
    }

    private OpenFailed refused(String path, String why) {
        return new OpenFailed(disk.describe(new FileId(path)) + " " + why + BACK);
    }
}
