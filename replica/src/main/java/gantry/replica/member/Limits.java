package gantry.replica.member;

import gantry.base.Require;
import java.time.Duration;

/// Every bound of a replication link that may be set.
///
/// For:   both sides of a link; they need not have the same.
/// Owner: none (immutable).
///
/// @param hello how long a connection may take until the leader has answered its position
/// @param silence after how long without a frame a link is closed
/// @param beat how often each side is heard at least
/// @param slow how long a member of the sync-state set may be behind before it has to leave
/// @param redial how long a follower waits before it connects again, at most; it begins with a 25th of that
/// @param maxStrangers connections that have not proved themselves, at a time
/// @param maxStrangersPerHost the same from one host
/// @param maxMembers members of a group, the leader not counted
/// @param creditBytes what a follower takes before it has acknowledged it, and what a leader sends so; a link's
/// outbox has to take that and a batch more
/// @param batchBytes how much a batch carries; a single larger record travels alone
/// @param copyBytesPerSecond how fast a leader gives copies of the whole log, all members together
/// @param compare how often and fast old parts of the logs are compared
public record Limits(
        Duration hello,
        Duration silence,
        Duration beat,
        Duration slow,
        Duration redial,
        int maxStrangers,
        int maxStrangersPerHost,
        int maxMembers,
        int creditBytes,
        int batchBytes,
        long copyBytesPerSecond,
        CompareLimits compare) {
    /// How fast members copy a whole log, where nothing else is said.
    public static final long COPY_BYTES_PER_SECOND = 200L * 1024 * 1024;

    public static final Limits DEFAULTS = new Limits(
            Duration.ofSeconds(3),
            Duration.ofSeconds(4),
            Duration.ofMillis(500),
            Duration.ofSeconds(5),
            Duration.ofSeconds(5),
            64,
            8,
            16,
            4 * 1024 * 1024,
            256 * 1024,
            COPY_BYTES_PER_SECOND,
            CompareLimits.DEFAULTS);

    private static final int FIRST_REDIAL_PART = 25;
    private static final int QUIET_BEATS = 3;
    private static final int MAX_CREDIT_BYTES = 256 * 1024 * 1024;

    public Limits {
        Require.that(hello.isPositive() && redial.isPositive(), "the hello and redial times must be positive");
        Require.that(
                beat.isPositive() && beat.multipliedBy(QUIET_BEATS).compareTo(silence) <= 0,
                "the silence limit must be three beats at least");
        Require.that(slow.compareTo(beat) > 0, "a member may be slow for longer than a beat");
        Require.that(
                maxStrangersPerHost > 0 && maxStrangers >= maxStrangersPerHost && maxMembers > 0,
                "the numbers of strangers and members must be positive");
        Require.that(
                batchBytes > 0 && creditBytes >= batchBytes && creditBytes <= MAX_CREDIT_BYTES,
                "the credit must be one batch at least, and " + MAX_CREDIT_BYTES + " bytes at most");
        Require.that(
                copyBytesPerSecond >= batchBytes,
                "copies must be allowed one batch a second at least: " + batchBytes + " bytes");
    }

    /// The same, with another credit and other batches.
    public Limits sending(int otherCreditBytes, int otherBatchBytes) {
        return with(otherCreditBytes, otherBatchBytes, copyBytesPerSecond, compare);
    }

    /// The same, with another rate of copies.
    public Limits copying(long otherBytesPerSecond) {
        return with(creditBytes, batchBytes, otherBytesPerSecond, compare);
    }

    /// The same, with other comparisons.
    public Limits comparing(CompareLimits other) {
        return with(creditBytes, batchBytes, copyBytesPerSecond, other);
    }

    private Limits with(int credit, int batch, long copies, CompareLimits comparisons) {
        return new Limits(
                hello,
                silence,
                beat,
                slow,
                redial,
                maxStrangers,
                maxStrangersPerHost,
                maxMembers,
                credit,
                batch,
                copies,
                comparisons);
    }

    /// After so long without a frame a member's place may be taken by another process with its number.
    public Duration quiet() {
        return beat.multipliedBy(QUIET_BEATS);
    }

    public Duration firstRedial() {
        return redial.dividedBy(FIRST_REDIAL_PART);
    }
}
