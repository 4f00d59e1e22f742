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
public record Copied(
        long end, @Nullable String fault, @Nullable Refusal refusal) {
    public boolean isWhole() {
        return fault == null && refusal == null;
    }
}
