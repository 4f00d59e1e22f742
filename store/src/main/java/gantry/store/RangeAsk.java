package gantry.store;

/// Which part of the log is to be looked at.
///
/// For:   comparing it with another member's, or giving it to one.
/// Owner: none (immutable).
///
/// @param from where a message begins
/// @param to where it ends at the latest; with `whole` where it has to end
/// @param mostBytes as many whole messages as fit, or the first alone
/// @param whole whether all of it is wanted, or as much as is sound and fits
/// @param withBytes whether the bytes are wanted too
public record RangeAsk(long from, long to, int mostBytes, boolean whole, boolean withBytes) {
    /// What lies next, for who walks over the log.
    public static RangeAsk next(long from, long to, int mostBytes) {
        return new RangeAsk(from, to, mostBytes, false, false);
    }

    /// What somebody else has looked at.
    public static RangeAsk exactly(long from, long to) {
        return new RangeAsk(from, to, Integer.MAX_VALUE, true, false);
    }

    /// What is given to a member whose own is rotten.
    public static RangeAsk given(long from, long to, int mostBytes) {
        return new RangeAsk(from, to, mostBytes, false, true);
    }
}
