package gantry.replica.epoch;

import org.jspecify.annotations.Nullable;

/// What a member says about its log at one moment.
///
/// For:   comparing two members' logs.
/// Owner: none (immutable).
///
/// @param begin the oldest offset that is still there
/// @param end behind the last whole record that is written
/// @param confirm up to where nothing can be taken back
public record LogView(LogId logId, EpochTable epochs, long begin, long end, long confirm) {
    public boolean isEmpty() {
        return begin == end;
    }

    /// What cannot be true; null when nothing is wrong.
    public @Nullable String fault() {
        if (begin < 0 || end < begin) {
            return "its log reaches from " + begin + " to " + end;
        }
        if (confirm < 0 || confirm > end) {
            return "its confirmOffset is " + confirm + ", and its log ends at " + end;
        }
        if (!epochs.isEmpty() && epochs.epochs().getLast().start() > end) {
            return "its " + epochs.epochs().getLast() + ", and its log ends at " + end;
        }
        return null;
    }
}
