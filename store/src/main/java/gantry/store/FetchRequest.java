package gantry.store;

/// What to fetch.
///
/// For:   the limits of one fetch.
/// Owner: none (immutable).
///
/// @param queueOffset first wanted
/// @param maxMessages at most this many; at least 1
/// @param maxBytes stop before this is passed, but never before the first message
/// @param maxScannedEntries queue entries looked at, wanted or not
/// @param tags wanted tag codes
public record FetchRequest(long queueOffset, int maxMessages, int maxBytes, int maxScannedEntries, TagCodes tags) {
    /// Queue entries that one fetch looks at by default: 16,000 bytes of them.
    public static final int DEFAULT_SCANNED_ENTRIES = 800;

    public FetchRequest(long queueOffset, int maxMessages, int maxBytes, TagCodes tags) {
        this(queueOffset, maxMessages, maxBytes, Math.max(DEFAULT_SCANNED_ENTRIES, maxMessages), tags);
    }
}
