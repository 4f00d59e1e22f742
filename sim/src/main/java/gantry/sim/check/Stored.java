package gantry.sim.check;

/// A message as somebody found it.
///
/// For:   telling the ledger.
/// Owner: none (immutable).
///
/// @param key names one attempt of one message, once in the world
/// @param endOffset where its record ends in the log
public record Stored(long queueOffset, String key, long endOffset) {}
