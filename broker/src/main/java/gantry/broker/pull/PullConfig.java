package gantry.broker.pull;

import gantry.base.Require;
import java.time.Duration;

/// How much one pull gets, and how long it may wait.
///
/// For:   the settings of `PullHandler`.
/// Owner: none (immutable).
/// Never: per-group settings.
///
/// @param permission   `brokerPermission`
/// @param mostMessages of one answer (`maxTransferCountOnMessageInMemory`)
/// @param mostBytes    of one answer, unless its first message alone is larger (`maxTransferBytesOnMessageInMemory`)
/// @param hotMessages  a pull that is further behind its queue's end may have to wait for the disk, so it is read
///                     away from the event loop
/// @param longestWait  a pull that asks for more waits this long
public record PullConfig(int permission, int mostMessages, int mostBytes, long hotMessages, Duration longestWait) {
    public static final int DEFAULT_MOST_MESSAGES = 32;
    public static final int DEFAULT_MOST_BYTES = 256 * 1024;
    public static final long DEFAULT_HOT_MESSAGES = 10_000;
    public static final Duration DEFAULT_LONGEST_WAIT = Duration.ofSeconds(60);

    /// With the usual distance.
    public PullConfig(int permission, int mostMessages, int mostBytes, Duration longestWait) {
        this(permission, mostMessages, mostBytes, DEFAULT_HOT_MESSAGES, longestWait);
    }

    public PullConfig {
        Require.that(
                mostMessages > 0 && mostMessages <= 1024,
                "maxTransferCountOnMessageInMemory is " + mostMessages + ", it must be between 1 and 1024");
        Require.that(
                mostBytes > 0 && mostBytes <= 8 * 1024 * 1024,
                "maxTransferBytesOnMessageInMemory is " + mostBytes + ", it must be between 1 byte and 8 MiB");
        Require.that(hotMessages > 0, "the distance at which a pull counts as far behind must be positive");
        Require.that(longestWait.isPositive(), "the longest wait of a pull must be positive");
    }
}
