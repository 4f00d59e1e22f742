package gantry.server.config;

/// One line of the table of keys.
///
/// For:   the truth about a key: what may stand there, what stands there when it is absent, and what it does.
/// Owner: none (immutable).
///
/// @param byDefault the value's text when the key is absent, or words in brackets when that depends on others
/// @param meaning one sentence part for the reference page; empty for keys without effect
public record Key<T>(String name, Role role, Reading<T> reading, String byDefault, Effect effect, String meaning) {
    /// Whether an absent key has a value of its own.
    boolean hasDefault() {
        return !byDefault.startsWith("(");
    }
}
