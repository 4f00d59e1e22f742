package gantry.store;

/// A question for messages by key.
///
/// For:   `Store.query`.
/// Owner: none (immutable).
///
/// @param beginMillis the earliest time at which a wanted message was stored
/// @param endMillis the latest, inclusive
/// @param maxCount how many to give at most, the newest first
public record KeyQuery(String topic, String key, Kind kind, long beginMillis, long endMillis, int maxCount) {
    /// More messages are not given for one question.
    public static final int MOST_MESSAGES = 64;

    /// What the key is.
    public enum Kind {
        /// The unique key, or a word of `KEYS`.
        ANY,
        UNIQUE,
        /// The tag, which RocketMQ 5.5 and later may have indexed.
        TAG
    }

    public KeyQuery {
        maxCount = Math.clamp(maxCount, 1, MOST_MESSAGES);
    }

    /// The text behind `topic#` that is hashed.
    String indexedKey() {
        return kind == Kind.TAG ? "T#" + key : key;
    }
}
