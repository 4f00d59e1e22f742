package gantry.replica.lead;

import java.util.OptionalLong;

/// What comparing the log with one member has come to.
///
/// For:   health and metrics.
/// Owner: none (immutable).
///
/// @param compared ranges so far
/// @param rottenThere those of them that were rotten at the member, which asks for them by itself
/// @param differing ranges that differ although each side says that its own is sound
/// @param from the first of these; -1 without one
/// @param wholeNanos when the whole log was compared and was the same; empty: not yet
/// @param endedNanos when the last walk over the whole log ended, however it did; empty: none has
/// @param at log offset that the walk under way has come to; -1 while there is none
/// @param goesTo log offset at which it ends; -1 while there is none
public record CompareFigures(
        long member,
        long compared,
        long rottenThere,
        int differing,
        long from,
        long to,
        OptionalLong wholeNanos,
        OptionalLong endedNanos,
        long at,
        long goesTo) {}
