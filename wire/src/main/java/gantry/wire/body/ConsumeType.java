package gantry.wire.body;

/// How a consumer gets its messages.
///
/// For:   heartbeats; the names are the wire's.
/// Owner: none (immutable).
public enum ConsumeType {
    /// The application pulls.
    CONSUME_ACTIVELY,
    /// The client library pulls and pushes into the application.
    CONSUME_PASSIVELY,
    /// The broker hands out messages with receipts.
    CONSUME_POP
}
