package gantry.replica.member;

import gantry.base.Require;
import java.time.Duration;

/// How often, and how fast, a leader compares its log and its state with each follower's.
///
/// For:   finding what disks have changed without taking them from messages.
/// Owner: none (immutable).
///
/// @param every how long after a comparison of the whole log has begun the next one begins
/// @param bytesPerSecond how fast the leader's log is read for it, all members together
/// @param rangeBytes what is compared at once: whole messages, or a single larger one
/// @param stateEvery between two places of the log at which the folded state is compared
/// @param stateSoon how long after a follower came into sync the next one comes
public record CompareLimits(
        Duration every, long bytesPerSecond, int rangeBytes, Duration stateEvery, Duration stateSoon) {
    /// As fast and as often as the scrubber.
    public static final CompareLimits DEFAULTS = new CompareLimits(Duration.ofHours(24), 4 << 20, 1 << 20);

    private static final int MAX_RANGE_BYTES = 8 << 20;

    /// With the state compared once an hour, and a minute after a follower came into sync.
    public CompareLimits(Duration every, long bytesPerSecond, int rangeBytes) {
        this(every, bytesPerSecond, rangeBytes, Duration.ofHours(1), Duration.ofMinutes(1));
    }

    public CompareLimits {
        Require.that(
                stateEvery.isPositive() && stateSoon.isPositive(),
                "the time between two comparisons of the state must be positive");
        Require.that(every.isPositive(), "the time between two comparisons must be positive");
        Require.that(bytesPerSecond > 0, "logs must be compared at one byte a second at least");
        Require.that(
                rangeBytes > 0 && rangeBytes <= MAX_RANGE_BYTES,
                "a range of 1 to " + MAX_RANGE_BYTES + " bytes is compared at once");
    }
}
