package gantry.bench.load;

import java.util.List;
import java.util.Optional;

/// What is measured: one shape of load.
///
/// For:   the list of workloads, each with its name, its size and what is promised for it.
/// Owner: none (immutable).
/// Never: how the load is made (see `Load`).
///
/// @param name as the user types it
/// @param messages how many are measured unless the user says otherwise
/// @param inFlight requests that wait for an answer at any time, over all connections; for a pull, one per queue
/// @param perRequest messages in one send; more than one is a batch
/// @param synced whether a send is answered only once it is on disk
public record Workload(
        String name,
        String title,
        Kind kind,
        int bodyBytes,
        int perRequest,
        int inFlight,
        boolean synced,
        long messages) {

    public enum Kind {
        /// A fresh process, to its first acknowledged send.
        START,
        SEND,
        PULL,
        /// Nothing is asked; the server's own doings are measured.
        IDLE
    }

    /// Queues of every topic of the load: what a topic that is created by a first send gets.
    public static final int QUEUES = 4;

    public static final List<Workload> ALL = List.of(
            new Workload("start", "start of the process to its first acknowledged send", Kind.START, 0, 1, 1, false, 0),
            new Workload("one-1k", "one in flight, 1 KiB", Kind.SEND, 1024, 1, 1, false, 20_000),
            new Workload("pipe-1k", "256 in flight, 1 KiB", Kind.SEND, 1024, 1, 256, false, 600_000),
            new Workload("pipe-128", "256 in flight, 128 B", Kind.SEND, 128, 1, 256, false, 600_000),
            new Workload("batch-1k", "batches of 32, 8 in flight, 1 KiB", Kind.SEND, 1024, 32, 8, false, 1_000_000),
            new Workload("batch-128", "batches of 32, 8 in flight, 128 B", Kind.SEND, 128, 32, 8, false, 2_000_000),
            new Workload("pull", "catch-up pull, 32 at a time, 1 KiB", Kind.PULL, 1024, 1, QUEUES, false, 1_000_000),
            new Workload("idle", "no load", Kind.IDLE, 1024, 1, 0, false, 0),
            new Workload("sync-1k", "SYNC_FLUSH, 64 in flight, 1 KiB", Kind.SEND, 1024, 1, 64, true, 40_000));

    public static Optional<Workload> find(String name) {
        return ALL.stream().filter(w -> w.name().equals(name)).findFirst();
    }
}
