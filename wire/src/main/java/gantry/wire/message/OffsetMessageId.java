package gantry.wire.message;

import org.jspecify.annotations.Nullable;

/// Names a stored message by the broker that has it and its place in the log: upper-case hex of address, port,
/// logOffset.
///
/// For:   `msgId` of a send answer, and finding the message again.
/// Owner: none (immutable).
/// Never: the sender's own name of a message; see `UniqueKey`.
public record OffsetMessageId(RecordHost host, long logOffset) {
    /// With an IPv6 host; 32 with IPv4.
    public static final int MAX_CHARS = 56;

    /// Null when `text` is no such id.
    public static @Nullable OffsetMessageId parse(String text) {
        return null;
    }

    /// Writes the id as ASCII.
    ///
    /// @return how many bytes were written: 32 or 56
    public static int write(RecordHost host, long logOffset, byte[] into, int at) {
        return 0;
    }

    public String text() {
        return "";
    }
}
