package gantry.replica.range;

import org.jspecify.annotations.Nullable;

/// What a member has found where it looked. The numbers never change their meaning.
///
/// For:   answers about a range of the log.
/// Owner: none (immutable).
public enum Found {
    /// Every message is whole and in its place.
    SOUND(0),
    /// Something else stands there than was written.
    ROTTEN(1),
    /// The log has nothing of it any more, or not yet for certain.
    GONE(2),
    /// Nobody has looked.
    NOT_NOW(3);

    private final int code;

    Found(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }

    public static @Nullable Found of(int code) {
        for (Found each : values()) {
            if (each.code == code) {
                return each;
            }
        }
        return null;
    }
}
