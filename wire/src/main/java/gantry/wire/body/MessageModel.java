package gantry.wire.body;

/// Whether the members of a group share the messages of a topic.
///
/// For:   heartbeats; the names are the wire's.
/// Owner: none (immutable).
public enum MessageModel {
    /// Every member gets every message and keeps its own progress.
    BROADCASTING,
    /// The members share the queues; the broker keeps the progress.
    CLUSTERING,
    /// Of 5.5's lite topics.
    LITE_SELECTIVE
}
