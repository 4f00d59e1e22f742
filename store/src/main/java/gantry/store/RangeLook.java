package gantry.store;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// What a look at a part of the log has shown.
///
/// For:   comparing members, and giving what is sound.
/// Owner: none (immutable; nobody changes the bytes).
public sealed interface RangeLook {
    /// Every message is whole and in its place, and no seal says otherwise.
    ///
    /// @param digest SHA-256 over the bytes from `from` to `to`
    /// @param bytes null unless they were asked for
    @SuppressWarnings("ArrayRecordComponent") // compared with Arrays, by who compares members
    record Sound(
            long from, long to, byte[] digest, @Nullable ByteBuffer bytes) implements RangeLook {}

    /// Something else stands there than was written.
    ///
    /// @param to where messages go on
    /// @param digest of what stands there, of a range that was asked for as a whole; null when it cannot be read
    @SuppressWarnings("ArrayRecordComponent")
    record Rotten(long from, long to, String what, byte @Nullable [] digest) implements RangeLook {}

    /// The log has nothing of it any more, or nothing that is settled yet.
    record Gone() implements RangeLook {}

    /// Nobody has looked.
    record NotNow(String why) implements RangeLook {}
}
