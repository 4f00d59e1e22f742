package gantry.broker.delay;

import gantry.base.Require;
import java.util.Arrays;

/// How long a message of each delay level waits (messages.md §7).
///
/// For:   turning level 1…n into milliseconds.
/// Owner: none (immutable).
/// Never: when a message was stored.
public final class DelayLevels {
    /// Apache's eighteen levels.
    public static final DelayLevels DEFAULT = parse("1s 5s 10s 30s 1m 2m 3m 4m 5m 6m 7m 8m 9m 10m 20m 30m 1h 2h");

    private final long[] millis;

    private DelayLevels(long[] millis) {
        this.millis = millis;
    }

    /// From times with a unit `s`, `m`, `h` or `d`, with spaces between.
    ///
    /// @throws IllegalArgumentException with a sentence that quotes the wrong part
    public static DelayLevels parse(String text) {
        long[] millis = Arrays.stream(text.strip().split("\\s+"))
                .mapToLong(DelayLevels::parseOne)
                .toArray();
        return new DelayLevels(millis);
    }

    private static long parseOne(String part) {
        long unit = part.isEmpty()
                ? 0
                : switch (part.charAt(part.length() - 1)) {
                    case 's' -> 1_000L;
                    case 'm' -> 60_000L;
                    case 'h' -> 3_600_000L;
                    case 'd' -> 86_400_000L;
                    default -> 0L;
                };
        Require.that(
                unit > 0 && part.substring(0, part.length() - 1).matches("[0-9]{1,9}"),
                "messageDelayLevel has \"" + part
                        + "\", but a level is a number with s, m, h or d behind it, like 10s");
        return Long.parseLong(part.substring(0, part.length() - 1)) * unit;
    }

    public int count() {
        return millis.length;
    }

    /// Levels above the highest count as the highest.
    public int clamp(int level) {
        return Math.min(level, millis.length);
    }

    /// @param level from 1 on
    public long millis(int level) {
        return millis[clamp(level) - 1];
    }
}
