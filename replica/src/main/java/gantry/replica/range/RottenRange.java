package gantry.replica.range;

/// A part of the own log that is not what was written there.
///
/// For:   asking another member for it.
/// Owner: none (immutable).
///
/// @param from where a message begins
/// @param what is wrong, with file and bytes
public record RottenRange(long from, long to, String what) {}
