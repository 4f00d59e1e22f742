package gantry.broker.facts;

import java.util.List;
import java.util.OptionalLong;

/// What one of the state's files turned out to be at start.
///
/// For:   not taking "unknown" for "empty".
/// Owner: none (immutable).
public sealed interface Found {
    /// There is none, nor an older generation.
    record Absent() implements Found {}

    /// There is one, but neither it nor an older generation can be read.
    ///
    /// @param sentence which, and why
    record Damaged(String sentence) implements Found {}

    /// @param facts what it says
    /// @param position facts of the log below it are in the file; empty when RocketMQ wrote it
    record Whole(List<Fact> facts, OptionalLong position) implements Found {}
}
