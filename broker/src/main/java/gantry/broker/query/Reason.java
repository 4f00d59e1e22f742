package gantry.broker.query;

/// One thing that keeps a process from doing all it should.
///
/// For:   health: each has its cause and its next step.
/// Owner: none (immutable).
///
/// @param part     who is not well, as an operator calls it
/// @param state    how it is, in a word or two
/// @param sentence the cause, and what to do
/// @param closes   whether clients should go elsewhere meanwhile
public record Reason(String part, String state, String sentence, boolean closes) {}
