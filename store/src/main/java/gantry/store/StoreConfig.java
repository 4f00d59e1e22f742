package gantry.store;

import gantry.base.Require;
import java.time.Duration;

/// Sizes and limits of one store.
///
/// For:   everything about the store that an operator may set.
/// Owner: none (immutable).
///
/// @param segmentBytes length of a commit-log file (`mappedFileSizeCommitLog`)
/// @param queueFileBytes length of a consume-queue file (`mappedFileSizeConsumeQueue` × 20)
/// @param durability what a confirmed record survives (`flushDiskType`)
/// @param syncTimeout how long an append may wait for its sync until it is answered late (`syncFlushTimeout`)
/// @param flushInterval how often written bytes are synced when nobody waits (`flushIntervalCommitLog`)
/// @param checkpointInterval how often queue files are synced and the checkpoint is written, unless very many queues
///     grow (`RoundRule`)
/// @param maxRecordBytes largest stored record that is accepted
/// @param maxUnsyncedBytes written but not yet synced bytes above which appends are refused as busy
/// @param maxUnflushedEntries queue entries that wait in memory above which appends are refused as busy
/// @param index sizes of the key index
/// @param retention how long messages are kept, and how full the disk may become
/// @param integrity what is done so that a bit that changes on disk is noticed
/// @param rebuildPieceBytes how much of the log is read at each tick while lost consume queues are made again
/// @param confirmation who says what is confirmed
public record StoreConfig(
        long segmentBytes,
        long queueFileBytes,
        Durability durability,
        Duration syncTimeout,
        Duration flushInterval,
        Duration checkpointInterval,
        int maxRecordBytes,
        long maxUnsyncedBytes,
        int maxUnflushedEntries,
        IndexConfig index,
        RetentionConfig retention,
        IntegrityConfig integrity,
        long rebuildPieceBytes,
        Confirmation confirmation) {

    /// Apache's file sizes, asynchronous flush.
    public static final StoreConfig DEFAULT = new StoreConfig(
            1L << 30,
            6_000_000,
            Durability.WRITTEN,
            Duration.ofSeconds(5),
            Duration.ofMillis(500),
            Duration.ofSeconds(10),
            4 * 1024 * 1024 + 64 * 1024,
            512L << 20,
            4_000_000,
            IndexConfig.DEFAULT,
            RetentionConfig.DEFAULT,
            IntegrityConfig.DEFAULT,
            32 << 20,
            Confirmation.BY_STORE);

    public StoreConfig {
        Require.that(
                segmentBytes >= 4096 && segmentBytes <= Integer.MAX_VALUE,
                "mappedFileSizeCommitLog is " + segmentBytes + ", but must lie between 4096 and 2147483647 bytes");
        Require.that(
                queueFileBytes >= 20 && queueFileBytes <= Integer.MAX_VALUE && queueFileBytes % 20 == 0,
                "a consume-queue file of " + queueFileBytes
                        + " bytes is not possible: it must be a multiple of 20 between 20 and 2147483640");
        Require.that(syncTimeout.isPositive(), "syncFlushTimeout must be positive");
        Require.that(flushInterval.isPositive(), "flushIntervalCommitLog must be positive");
        Require.that(checkpointInterval.isPositive(), "the checkpoint interval must be positive");
        Require.that(maxRecordBytes > 0, "the largest record must be positive");
        Require.that(maxUnsyncedBytes > 0, "the limit of unsynced bytes must be positive");
        Require.that(rebuildPieceBytes > 0, "the piece of the log that a rebuild reads at each tick must be positive");
        Require.that(
                confirmation == Confirmation.BY_STORE || maxRecordBytes + LogTail.BLANK_BYTES < LogReading.MOST_BYTES,
                "maxMessageSize of a member of a replica group must be below " + (LogReading.MOST_BYTES / 1024)
                        + " KiB, with what is stored beside a message");
        Require.that(maxUnflushedEntries > 0, "the limit of waiting queue entries must be positive");
    }

    public StoreConfig withSegmentBytes(long bytes) {
        return new StoreConfig(
                bytes,
                queueFileBytes,
                durability,
                syncTimeout,
                flushInterval,
                checkpointInterval,
                maxRecordBytes,
                maxUnsyncedBytes,
                maxUnflushedEntries,
                index,
                retention,
                integrity,
                rebuildPieceBytes,
                confirmation);
    }

    public StoreConfig withQueueFileBytes(long bytes) {
        return new StoreConfig(
                segmentBytes,
                bytes,
                durability,
                syncTimeout,
                flushInterval,
                checkpointInterval,
                maxRecordBytes,
                maxUnsyncedBytes,
                maxUnflushedEntries,
                index,
                retention,
                integrity,
                rebuildPieceBytes,
                confirmation);
    }

    public StoreConfig withDurability(Durability wanted) {
        return new StoreConfig(
                segmentBytes,
                queueFileBytes,
                wanted,
                syncTimeout,
                flushInterval,
                checkpointInterval,
                maxRecordBytes,
                maxUnsyncedBytes,
                maxUnflushedEntries,
                index,
                retention,
                integrity,
                rebuildPieceBytes,
                confirmation);
    }

    public StoreConfig withTimes(Duration sync, Duration flush, Duration checkpoint) {
        return new StoreConfig(
                segmentBytes,
                queueFileBytes,
                durability,
                sync,
                flush,
                checkpoint,
                maxRecordBytes,
                maxUnsyncedBytes,
                maxUnflushedEntries,
                index,
                retention,
                integrity,
                rebuildPieceBytes,
                confirmation);
    }

    public StoreConfig withLimits(int recordBytes, long unsyncedBytes, int unflushedEntries) {
        return new StoreConfig(
                segmentBytes,
                queueFileBytes,
                durability,
                syncTimeout,
                flushInterval,
                checkpointInterval,
                recordBytes,
                unsyncedBytes,
                unflushedEntries,
                index,
                retention,
                integrity,
                rebuildPieceBytes,
                confirmation);
    }

    public StoreConfig withIndex(IndexConfig other) {
        return new StoreConfig(
                segmentBytes,
                queueFileBytes,
                durability,
                syncTimeout,
                flushInterval,
                checkpointInterval,
                maxRecordBytes,
                maxUnsyncedBytes,
                maxUnflushedEntries,
                other,
                retention,
                integrity,
                rebuildPieceBytes,
                confirmation);
    }

    public StoreConfig withRetention(RetentionConfig other) {
        return new StoreConfig(
                segmentBytes,
                queueFileBytes,
                durability,
                syncTimeout,
                flushInterval,
                checkpointInterval,
                maxRecordBytes,
                maxUnsyncedBytes,
                maxUnflushedEntries,
                index,
                other,
                integrity,
                rebuildPieceBytes,
                confirmation);
    }

    public StoreConfig withIntegrity(IntegrityConfig other) {
        return new StoreConfig(
                segmentBytes,
                queueFileBytes,
                durability,
                syncTimeout,
                flushInterval,
                checkpointInterval,
                maxRecordBytes,
                maxUnsyncedBytes,
                maxUnflushedEntries,
                index,
                retention,
                other,
                rebuildPieceBytes,
                confirmation);
    }

    public StoreConfig withScrub(long bytesPerSecond) {
        return withIntegrity(integrity.withScrub(bytesPerSecond));
    }

    public StoreConfig withRebuildPiece(long bytes) {
        return new StoreConfig(
                segmentBytes,
                queueFileBytes,
                durability,
                syncTimeout,
                flushInterval,
                checkpointInterval,
                maxRecordBytes,
                maxUnsyncedBytes,
                maxUnflushedEntries,
                index,
                retention,
                integrity,
                bytes,
                confirmation);
    }

    public StoreConfig withConfirmation(Confirmation by) {
        return new StoreConfig(
                segmentBytes,
                queueFileBytes,
                durability,
                syncTimeout,
                flushInterval,
                checkpointInterval,
                maxRecordBytes,
                maxUnsyncedBytes,
                maxUnflushedEntries,
                index,
                retention,
                integrity,
                rebuildPieceBytes,
                by);
    }

    boolean isOwned() {
        return confirmation == Confirmation.BY_OWNER;
    }
}
