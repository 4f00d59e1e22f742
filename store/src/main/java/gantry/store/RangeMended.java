package gantry.store;

/// What has become of bytes that another member gave for a part of the log.
///
/// For:   who asked for them.
/// Owner: none (immutable).
public sealed interface RangeMended {
    /// They stand in the log now, for certain.
    ///
    /// @param kept the path of the file that has what stood there before
    record Mended(long to, String kept) implements RangeMended {}

    /// The very same bytes stood there already.
    record Same(long to) implements RangeMended {}

    /// What stands here is sound as well, and is something else. Nothing was written.
    record Differs(long to, String why) implements RangeMended {}

    /// The bytes are no messages of this place. Nothing was written.
    record Unfit(String why) implements RangeMended {}

    /// The log has let it go.
    record Gone() implements RangeMended {}

    /// It was not done, or not known to be done; it can be tried again.
    record Failed(String why) implements RangeMended {}
}
