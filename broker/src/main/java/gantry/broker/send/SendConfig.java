package gantry.broker.send;

import gantry.base.Require;
import gantry.broker.delay.DelayLevels;

/// What sends are let in.
///
/// For:   the settings of `SendHandler`.
/// Owner: none (immutable).
/// Never: per-topic settings.
///
/// @param mostBodyBytes   `maxMessageSize`
/// @param permission      `brokerPermission`: bits of what this broker does at all
/// @param clusterName     stored with every message, so that replies find their way back
/// @param delayLevels     `messageDelayLevel`
public record SendConfig(int mostBodyBytes, int permission, String clusterName, DelayLevels delayLevels) {
    public static final int DEFAULT_MOST_BODY_BYTES = 4 * 1024 * 1024;

    public SendConfig {
        Require.that(
                mostBodyBytes > 0 && mostBodyBytes <= 12 * 1024 * 1024,
                "maxMessageSize is " + mostBodyBytes
                        + ", it must be between 1 byte and 12 MiB, so that it fits one frame");
    }
}
