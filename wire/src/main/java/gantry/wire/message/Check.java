package gantry.wire.message;

/// What stands at a place where a record is expected.
///
/// For:   the result of `RecordView.wrap`; the log decides what follows from it.
/// Owner: none (immutable).
/// Never: whether the record is at the offset that it claims.
public enum Check {
    /// A record that is what it says it is.
    OK,
    /// The unused end of a segment.
    BLANK,
    /// Nothing was written here: the size is 0.
    END,
    /// The record goes on beyond the bytes at hand.
    SHORT,
    BAD_SIZE,
    BAD_MAGIC,
    /// The lengths inside do not add up to the size.
    BAD_LAYOUT,
    BAD_BODY_CRC,
    /// The CRC over the whole record, which is a property, does not match.
    BAD_RECORD_CRC;

    public boolean isOk() {
        return this == OK;
    }
}
