package gantry.wire.frame;

import org.jspecify.annotations.Nullable;

/// What the two parsers find in a header.
///
/// For:   carrying positions and numbers from a parser to `HeaderReader`.
/// Owner: one `HeaderReader`.
/// Never: believed when the parser returned a fault.
final class ParsedHeader {
    /// More than any header of an official peer has, and little enough that a stranger's header costs nothing.
    static final int MAX_FIELDS = 1024;

    final FieldTable fields = new FieldTable();
    int code;
    int flags;
    int correlationId;
    int version;
    Language language = Language.OTHER;
    int remarkFrom;
    /// -1 when there is none.
    int remarkLength;

    void clear(byte[] bytes) {
        fields.clear(bytes);
        code = 0;
        flags = 0;
        correlationId = 0;
        version = 0;
        language = Language.OTHER;
        remarkFrom = 0;
        remarkLength = -1;
    }

    /// Adds a field, unless there are too many.
    ///
    /// @return what is wrong, or null
    @Nullable
    String add(int keyHash, int keyFrom, int keyLength, int valueFrom, int valueLength) {
        if (fields.count() == MAX_FIELDS) {
            return "the header has more than " + MAX_FIELDS + " fields";
        }
        fields.add(keyHash, keyFrom, keyLength, valueFrom, valueLength);
        return null;
    }
}
