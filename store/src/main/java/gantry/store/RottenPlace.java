package gantry.store;

/// A part of the log that is not what was written there, and that nobody has mended yet.
///
/// For:   whoever can ask another member for it, and whoever tells an operator.
/// Owner: none (immutable).
///
/// @param from where a message begins
/// @param to where messages go on
/// @param what is wrong, with file and bytes, as a sentence without a full stop
public record RottenPlace(long from, long to, String what) {}
