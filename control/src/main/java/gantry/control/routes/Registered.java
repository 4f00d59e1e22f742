package gantry.control.routes;

import org.jspecify.annotations.Nullable;

/// How a registration went.
///
/// For:   the answer to a broker.
/// Owner: none (immutable).
public sealed interface Registered {
    /// The broker is known now.
    ///
    /// @param masterAddress of the living master, for a follower
    /// @param masterHaAddress where that follower connects
    record Accepted(
            @Nullable String masterAddress, @Nullable String masterHaAddress) implements Registered {}

    /// Another process holds the id with a newer state. RocketMQ's brokers are told nothing and try again.
    record Outdated(String holder) implements Registered {}

    /// The registration changed nothing.
    record Refused(String sentence) implements Registered {}
}
