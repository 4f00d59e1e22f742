package gantry.store;

import gantry.base.Require;

/// Sizes of the key index.
///
/// For:   everything about the key index that an operator may set.
/// Owner: none (immutable).
///
/// @param enabled false: nothing is indexed, and key queries are refused (`messageIndexEnable`)
/// @param slots how many chains a file has (`maxHashSlotNum`)
/// @param entries how many entries a file has room for, the unused first one included (`maxIndexNum`)
public record IndexConfig(boolean enabled, int slots, int entries) {
    /// RocketMQ's sizes: files of 420,000,040 bytes, of which only what is used takes space.
    public static final IndexConfig DEFAULT = new IndexConfig(true, 5_000_000, 20_000_000);

    public IndexConfig {
        Require.that(slots > 0, "maxHashSlotNum is " + slots + ", but must be positive");
        Require.that(entries > 1, "maxIndexNum is " + entries + ", but must be at least 2");
        Require.that(
                IndexLayout.fileBytes(slots, entries) <= Integer.MAX_VALUE,
                "maxHashSlotNum × 4 + maxIndexNum × 20 must stay below 2147483608 bytes");
    }
}
