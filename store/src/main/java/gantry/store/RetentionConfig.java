package gantry.store;

import gantry.base.Require;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Set;

/// How long messages are kept, and how full the disk may become.
///
/// For:   everything about retention that an operator may set.
/// Owner: none (immutable).
///
/// A used share of the disk counts only while less than `enoughFreeBytes` are free: 90 % of a large disk is not
/// full.
///
/// @param maxAge after which a file of the log may go (`fileReservedTime`)
/// @param hours of the day in which expired files go (`deleteWhen`)
/// @param zone of those hours
/// @param maxLogBytes above which the oldest files go, expired or not; 0 for no limit (`maxCommitLogBytes`)
/// @param expiredShare used share from which expired files go at any hour (`diskMaxUsedSpaceRatio`)
/// @param forcedShare used share from which the oldest files go, expired or not (`diskSpaceCleanForciblyRatio`)
/// @param refusedShare used share from which sends are refused (`diskSpaceWarningLevelRatio`)
/// @param forcibly whether files go that are not expired, for want of space (`cleanFileForciblyEnable`)
/// @param enoughFreeBytes with so many free bytes no share counts (`diskSpaceEnoughBytes`)
/// @param reserveBytes below so many free bytes sends are refused; what is left is for the broker's own state
///        (`diskSpaceReserveBytes`)
public record RetentionConfig(
        Duration maxAge,
        Set<Integer> hours,
        ZoneId zone,
        long maxLogBytes,
        double expiredShare,
        double forcedShare,
        double refusedShare,
        boolean forcibly,
        long enoughFreeBytes,
        long reserveBytes) {
    private static final int HOURS = 24;

    /// Apache's, in UTC; and 64 MiB for the broker itself.
    public static final RetentionConfig DEFAULT = new RetentionConfig(
            Duration.ofDays(3), Set.of(4), ZoneOffset.UTC, 0, 0.75, 0.85, 0.90, true, 10L << 30, 64L << 20);

    public RetentionConfig {
        hours = Set.copyOf(hours);
        Require.that(maxAge.isPositive(), "fileReservedTime must be positive");
        Require.that(
                hours.stream().allMatch(hour -> hour >= 0 && hour < HOURS),
                "deleteWhen names hours of the day, from 00 to 23");
        Require.that(maxLogBytes >= 0, "maxCommitLogBytes must not be negative");
        Require.that(
                expiredShare > 0 && forcedShare > 0 && refusedShare > 0,
                "diskMaxUsedSpaceRatio, diskSpaceCleanForciblyRatio and diskSpaceWarningLevelRatio must be positive");
        Require.that(
                forcedShare <= refusedShare,
                "diskSpaceCleanForciblyRatio must not be above diskSpaceWarningLevelRatio: files are deleted before sends"
                        + " are refused");
        Require.that(enoughFreeBytes >= 0, "diskSpaceEnoughBytes must not be negative");
        Require.that(reserveBytes >= 0, "diskSpaceReserveBytes must not be negative");
    }

    /// The same, but what is kept is measured by time and bytes only.
    public RetentionConfig keeping(Duration age, long logBytes) {
        return new RetentionConfig(
                age,
                hours,
                zone,
                logBytes,
                expiredShare,
                forcedShare,
                refusedShare,
                forcibly,
                enoughFreeBytes,
                reserveBytes);
    }

    public RetentionConfig deletingAt(Set<Integer> hoursOfDay, ZoneId ofZone) {
        return new RetentionConfig(
                maxAge,
                hoursOfDay,
                ofZone,
                maxLogBytes,
                expiredShare,
                forcedShare,
                refusedShare,
                forcibly,
                enoughFreeBytes,
                reserveBytes);
    }

    public RetentionConfig withShares(double expired, double forced, double refused, boolean mayForce) {
        return new RetentionConfig(
                maxAge, hours, zone, maxLogBytes, expired, forced, refused, mayForce, enoughFreeBytes, reserveBytes);
    }

    public RetentionConfig withFreeBytes(long enough, long reserve) {
        return new RetentionConfig(
                maxAge, hours, zone, maxLogBytes, expiredShare, forcedShare, refusedShare, forcibly, enough, reserve);
    }
}
