package gantry.store;

import java.util.List;

/// What recovery found and left.
///
/// For:   starting the log and its queues.
/// Owner: none (handed over once).
///
/// @param end where the log ends: all of it is on disk
/// @param checkpoint as it was found
/// @param clean whether the last stop was clean
/// @param checkpointed up to where the checkpoint on disk reaches; -1 when there is none that counts
/// @param queueWriter remembers which queue files recovery touched
/// @param unflushed queues with entries that are in no file yet
/// @param rebuild what is left to be made again
/// @param sealed what of the log is sealed
/// @param confirmed up to where the log is confirmed: its end, unless somebody owns it
/// @param hidden entries of records above that
/// @param rotten what the start has read, and is not what was sealed
record Recovered(
        Segments segments,
        Checkpoint.Mark end,
        Queues queues,
        Checkpoint checkpoint,
        boolean clean,
        long checkpointed,
        QueueWriter queueWriter,
        List<ConsumeQueue> unflushed,
        Rebuild rebuild,
        SealOpening.Opened sealed,
        Checkpoint.Mark confirmed,
        QueueRing hidden,
        List<RottenPlace> rotten) {

    /// How many entries are in files, or need not be.
    long flushedCount() {
        long count = end.entryCount();
        for (ConsumeQueue queue : unflushed) {
            count -= queue.next() - queue.flushed();
        }
        return count;
    }
}
