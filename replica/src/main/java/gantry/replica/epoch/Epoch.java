package gantry.replica.epoch;

/// One reign: a leader's right to write, from one log offset on.
///
/// For:   saying who wrote a part of the log. Two logs that have the same epoch with the same mark at the same
///        start hold the same bytes from there on, as far as that epoch reaches in both.
/// Owner: none (immutable).
///
/// @param number rises with every reign
/// @param start the log offset at which it began
/// @param mark drawn when it began: a leader that was restored from a copy may begin the same number at the same
///        offset a second time, and must not be taken for the first
public record Epoch(long number, long start, long mark) {
    /// No epoch has a larger number: whoever says so is wrong, and must not make others count on from there.
    public static final long MAX_NUMBER = 1L << 48;

    /// Nobody has missed more reigns than this; whoever says so is wrong as well. Otherwise one lie would use up all
    /// numbers.
    public static final long MOST_AHEAD = 1L << 32;

    public Epoch {
        if (number < 1 || number > MAX_NUMBER || start < 0) {
            throw new IllegalArgumentException(
                    "an epoch is numbered from 1 to 2^48 and starts at 0 or later, not " + number + " at " + start);
        }
    }

    @Override
    public String toString() {
        return "epoch " + number + " from " + start;
    }
}
