package gantry.base;

/// Checks values of a configuration record in its constructor.
///
/// For:   one sentence that names the key and the allowed values.
/// Owner: none (stateless).
/// Never: invariants of our own code (see `Invariant`).
public final class Require {
    private Require() {}

    /// @throws IllegalArgumentException with `sentence` when `holds` is false
    public static void that(boolean holds, String sentence) {
        if (!holds) {
            throw new IllegalArgumentException(sentence);
        }
    }
}
