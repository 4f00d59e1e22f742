package gantry.store;

import java.nio.ByteBuffer;

/// What a look at the log as it is stored has given.
///
/// For:   whoever sends the log to others.
/// Owner: none (immutable).
public sealed interface LogPiece {
    /// Whole records, and the unused end of a file with its blank record, which counts as one.
    ///
    /// @param bytes not a copy; they stay as they are until the next `read`, or until the log sequencer is left
    record Whole(ByteBuffer bytes) implements LogPiece {}

    /// It is being fetched from the disk; `LogOwner.readable` follows.
    record Later() implements LogPiece {}

    /// There is nothing to be had.
    ///
    /// @param what is wrong, and where
    record Unreadable(String what) implements LogPiece {}
}
