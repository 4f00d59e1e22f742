package gantry.server.config;

/// What a key does in Gantry.
///
/// For:   telling a user the truth about every key that RocketMQ knows.
/// Owner: none (immutable).
public sealed interface Effect {
    /// Its value goes into the named component's configuration record.
    record Feeds(String component) implements Effect {}

    /// Accepted, and said to be without effect; `because` completes "has no effect here: …".
    record None(String because) implements Effect {}

    /// Accepted with one value only: any other promises something that this version cannot keep, and a start that
    /// breaks a promise in silence is worse than none. `because` completes "cannot be …: …".
    record Only(String value, String because) implements Effect {}
}
