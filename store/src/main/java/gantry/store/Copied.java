package gantry.store;

import org.jspecify.annotations.Nullable;

/// What became of bytes of another member's log.
///
/// For:   a follower, which acknowledges what was taken and asks again for the rest.
/// Owner: none (immutable).
///
/// @param end where the log ends now: everything before was taken, nothing from here on
/// @param fault what is wrong with the record at `end`; null when nothing is
/// @param refusal why nothing was taken although nothing is wrong with it; null when it was
/// @param maySoonFit the fault may be one of this log, which ends by itself: the record counts on the end of a topic
///        that was deleted, and here that is not through yet
public record Copied(
        long end, @Nullable String fault, @Nullable Refusal refusal, boolean maySoonFit) {
    Copied(long end, @Nullable String fault, @Nullable Refusal refusal) {
        this(end, fault, refusal, false);
    }

    public boolean isWhole() {
        return fault == null && refusal == null;
    }
}
