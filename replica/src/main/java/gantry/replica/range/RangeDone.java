package gantry.replica.range;

/// What has become of bytes that another member gave.
///
/// For:   who asked for them.
/// Owner: none (immutable).
///
/// @param to where what is right again ends
/// @param why nothing was written, for a sentence
public record RangeDone(Kind kind, long to, String why) {
    public enum Kind {
        /// They stand in the log now, for certain.
        MENDED,
        /// The very same stood there already.
        SAME,
        /// What stands there is sound as well, and is something else.
        DIFFERS,
        /// They are no messages of that place, or not those of the digest.
        UNFIT,
        /// The log has let the place go.
        GONE,
        /// It was not done, or not known to be done.
        FAILED
    }
}
