package gantry.store;

/// What recovery found and left.
///
/// For:   starting the log and its queues.
/// Owner: none (handed over once).
///
/// @param end where the log ends: all of it is on disk
/// @param indexMillis of the checkpoint, as it was found
/// @param checkpointed up to where the checkpoint on disk reaches; -1 when there is none that counts
/// @param queueWriter remembers which queue files recovery touched
record Recovered(
        Segments segments,
        Checkpoint.Mark end,
        Queues queues,
        long indexMillis,
        long checkpointed,
        QueueWriter queueWriter) {}
