package gantry.store;

import java.nio.ByteBuffer;

/// What a look at the confirmed log from outside its sequencer has given.
///
/// For:   whoever sends the log to somebody who is no member.
/// Owner: none (immutable).
public sealed interface ConfirmedPiece {
    /// Whole records, each checked whole, and the unused end of a file with its blank record, which counts as one.
    ///
    /// @param bytes a copy, the caller's own
    record Whole(ByteBuffer bytes) implements ConfirmedPiece {}

    /// Its file was deleted, or never was.
    record Gone() implements ConfirmedPiece {}

    /// No record begins there.
    record NoRecord() implements ConfirmedPiece {}

    /// It is damaged, or the disk cannot give it.
    ///
    /// @param what is wrong, and where
    record Unreadable(String what) implements ConfirmedPiece {}
}
