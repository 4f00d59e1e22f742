package gantry.broker.replica;

import gantry.replica.range.Mending;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/// What comparing the members' logs and states has come to, as one member sees it.
///
/// For:   health and metrics.
/// Owner: none (immutable).
///
/// @param compared ranges so far: of a leader with all members, of a follower those that its leader asked for
/// @param mended   ranges of our own log that were fetched again
/// @param unmended places of our own log that are rotten now
/// @param why      the first of them could not be mended; empty while that was not tried in vain
/// @param members  of a leader: how it stands with each other member
/// @param state    what comparing the folded state has come to
public record ComparisonStatus(
        long compared, long mended, int unmended, String why, List<Of> members, StateComparison state) {
    public static final ComparisonStatus NONE = new ComparisonStatus(0, 0, 0, "", List.of(), StateComparison.NONE);

    /// @param rottenThere ranges that were rotten at the member
    /// @param differing   ranges that differ although each side says that its own is sound
    /// @param from        log offset at which the first of these begins; -1 without one
    /// @param to          where it ends
    /// @param wholeMillis since the whole log was compared and was the same; empty: not yet
    /// @param endedMillis since the last walk over the whole log ended, however it did; empty: none has
    /// @param at          log offset that the walk under way has come to; -1 while there is none
    /// @param goesTo      log offset at which it ends; -1 while there is none
    public record Of(
            long memberId,
            long compared,
            long rottenThere,
            int differing,
            long from,
            long to,
            OptionalLong wholeMillis,
            OptionalLong endedMillis,
            long at,
            long goesTo) {}

    public ComparisonStatus {
        members = List.copyOf(members);
    }

    /// Of the logs alone.
    public ComparisonStatus(long compared, long mended, int unmended, String why, List<Of> members) {
        this(compared, mended, unmended, why, members, StateComparison.NONE);
    }

    /// The same, with what is known of the state.
    public ComparisonStatus with(StateComparison now) {
        return new ComparisonStatus(compared, mended, unmended, why, members, now);
    }

    static ComparisonStatus of(long compared, @Nullable Mending mending, List<Of> members) {
        return mending == null
                ? NONE
                : new ComparisonStatus(
                        compared, mending.mendedCount(), mending.unmendedCount(), mending.why(), members);
    }
}
