package gantry.bench.load;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// What is measured: one shape of load.
///
/// For:   the list of workloads, each with its name and its size.
/// Owner: none (immutable).
/// Never: how the load is made (see `Load`), and what is promised for it (see `gantry.bench.report.Bar`).
///
/// @param name as the user types it
/// @param inFlight requests that wait for an answer at any time, over all connections; for a pull, one per queue
/// @param perRequest messages in one send; more than one is a batch
/// @param synced whether a send is answered only once it is on disk
/// @param messages how many are measured unless the user says otherwise
/// @param topics over which the sends go in turn
/// @param connections of the load; 0: as many as the user says
public record Workload(
        String name,
        String title,
        Kind kind,
        int bodyBytes,
        int perRequest,
        int inFlight,
        boolean synced,
        long messages,
        int topics,
        int connections) {

    public enum Kind {
        /// A fresh process, to its first acknowledged send.
        START,
        SEND,
        /// Sends, each to a topic that nobody has heard of.
        CREATE,
        PULL,
        /// Nothing is asked; the server's own doings are measured.
        IDLE
    }

    public static final List<Workload> ALL = List.of(
            new Workload("start", "start of the process to its first acknowledged send", Kind.START, 0, 1, 1, 0),
            new Workload("one-1k", "one in flight, 1 KiB", Kind.SEND, 1024, 1, 1, 60_000),
            new Workload("pipe-1k", "256 in flight, 1 KiB", Kind.SEND, 1024, 1, 256, 600_000),
            new Workload("pipe-128", "256 in flight, 128 B", Kind.SEND, 128, 1, 256, 600_000),
            new Workload("batch-1k", "batches of 32, 8 in flight, 1 KiB", Kind.SEND, 1024, 32, 8, 1_000_000),
            new Workload("batch-256", "batches of 32, 8 in flight, 256 B", Kind.SEND, 256, 32, 8, 2_000_000),
            new Workload("pull", "catch-up pull, 32 at a time, 1 KiB", Kind.PULL, 1024, 1, 4, 1_000_000),
            new Workload("topics-10k", "256 in flight, 1 KiB, 10,000 topics", 256, 300_000, 10_000, 0),
            new Workload("create", "16 in flight, 1 KiB, each to a new topic", Kind.CREATE, 1024, 1, 16, 3_000),
            new Workload("idle", "no load", Kind.IDLE, 1024, 1, 0, 0),
            new Workload("sync-1k", "SYNC_FLUSH, 64 in flight, 1 KiB", Kind.SEND, 1024, 1, 64, true, 40_000, 1, 0));

    /// How cost grows; measured when asked for.
    public static final List<Workload> GROWTH = List.of(
            new Workload("topics-10", "256 in flight, 1 KiB, 10 topics", 256, 300_000, 10, 0),
            new Workload("topics-100", "256 in flight, 1 KiB, 100 topics", 256, 300_000, 100, 0),
            new Workload("topics-1k", "256 in flight, 1 KiB, 1,000 topics", 256, 300_000, 1_000, 0),
            new Workload("conn-1", "256 in flight, 1 KiB, 1 connection", 256, 300_000, 1, 1),
            new Workload("conn-16", "256 in flight, 1 KiB, 16 connections", 256, 300_000, 1, 16),
            new Workload("conn-256", "256 in flight, 1 KiB, 256 connections", 256, 300_000, 1, 256),
            new Workload("conn-2000", "2,000 in flight, 1 KiB, 2,000 connections", 2_000, 300_000, 1, 2_000));

    /// What a topic that is created by a first send gets.
    private static final int QUEUES = 4;

    private static final int QUEUES_OF_MANY = 8;

    private Workload(String name, String title, Kind kind, int bodyBytes, int perRequest, int inFlight, long messages) {
        this(name, title, kind, bodyBytes, perRequest, inFlight, false, messages, 1, 0);
    }

    private Workload(String name, String title, int inFlight, long messages, int topics, int connections) {
        this(name, title, Kind.SEND, 1024, 1, inFlight, false, messages, topics, connections);
    }

    /// Messages that one request carries: a pull brings as many as it may.
    public int messagesPerRequest() {
        return kind == Kind.PULL ? PullScript.MAX_MESSAGES : perRequest;
    }

    /// Queues of each of its topics.
    public int queues() {
        return topics > 1 ? QUEUES_OF_MANY : QUEUES;
    }

    public static Optional<Workload> find(String name) {
        Predicate<Workload> named = each -> each.name().equals(name);
        return ALL.stream()
                .filter(named)
                .findFirst()
                .or(() -> GROWTH.stream().filter(named).findFirst());
    }
}
