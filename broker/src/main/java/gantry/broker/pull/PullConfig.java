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
/// @param longestWait  a pull that asks for more waits this long
public record PullConfig(int permission, int mostMessages, int mostBytes, Duration longestWait) {
    public static final int DEFAULT_MOST_MESSAGES = 32;
    public static final int DEFAULT_MOST_BYTES = 256 * 1024;
    public static final Duration DEFAULT_LONGEST_WAIT = Duration.ofSeconds(60);

    public PullConfig {
        Require.that(
                mostMessages > 0 && mostMessages <= 1024,
                "maxTransferCountOnMessageInMemory is " + mostMessages + ", it must be between 1 and 1024");
        Require.that(
                mostBytes > 0 && mostBytes <= 8 * 1024 * 1024,
                "maxTransferBytesOnMessageInMemory is " + mostBytes + ", it must be between 1 byte and 8 MiB");
        Require.that(longestWait.isPositive(), "the longest wait of a pull must be positive");
    }
}
