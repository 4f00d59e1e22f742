package gantry.store;

import java.time.Duration;

/// When the queue flush brings everything to the files and moves the checkpoint.
///
/// For:   weighing what a round costs (a write and a sync per queue that has grown) against what it spares: log to look
///        through after a crash, and memory.
/// Owner: none (immutable).
/// Never: counts anything itself.
///
/// ```
///   few queues have grown     every checkpointInterval
///   many queues have grown    when much log has gathered, or after a minute
///   in any case               when a quarter of the entries that may wait in memory do
/// ```
///
/// @param interval the least time between two rounds
/// @param mostUnflushed entries in memory that call for a round whatever the time
record RoundRule(Duration interval, long mostUnflushed) {
    /// More queues than this are many.
    static final int FEW_QUEUES = 2_000;

    /// So much log is looked through in a few seconds.
    static final long MUCH_LOG_BYTES = 1L << 30;

    static final Duration LONGEST = Duration.ofMinutes(1);

    private static final int UNFLUSHED_SHARE = 4;

    static RoundRule of(StoreConfig config) {
        return new RoundRule(config.checkpointInterval(), config.maxUnflushedEntries() / UNFLUSHED_SHARE);
    }

    /// @param elapsedNanos since the last round began
    /// @param queues that have grown and are not in the files
    /// @param logBytes behind the last checkpoint
    /// @param unflushed entries that are not in the files
    boolean isDue(long elapsedNanos, int queues, long logBytes, long unflushed) {
        if (unflushed >= mostUnflushed) {
            return true;
        }
        return elapsedNanos >= interval.toNanos()
                && (queues <= FEW_QUEUES || logBytes >= MUCH_LOG_BYTES || elapsedNanos >= LONGEST.toNanos());
    }
}
