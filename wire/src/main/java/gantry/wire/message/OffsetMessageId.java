package gantry.wire.message;

import java.nio.charset.StandardCharsets;
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

    private static final int MIN_CHARS = 32;
    private static final int PORT_AND_OFFSET_CHARS = 24;

    /// Null when `text` is no such id.
    public static @Nullable OffsetMessageId parse(String text) {
        boolean isId = (text.length() == MIN_CHARS || text.length() == MAX_CHARS) && Hex.isHex(text);
        if (!isId) {
            return null;
        }
        int portAt = text.length() - PORT_AND_OFFSET_CHARS;
        byte[] address = new byte[portAt / 2];
        for (int i = 0; i < address.length; i++) {
            address[i] = (byte) Hex.parse(text, 2 * i, 2 * i + 2);
        }
        long port = Hex.parse(text, portAt, portAt + 8);
        if (port > 65_535) {
            return null;
        }
        return new OffsetMessageId(RecordHost.of(address, (int) port), Hex.parse(text, portAt + 8, text.length()));
    }

    /// Writes the id as ASCII.
    ///
    /// @return how many bytes were written: 32 or 56
    public static int write(RecordHost host, long logOffset, byte[] into, int at) {
        int next = Hex.write(host.address(), into, at);
        next = Hex.write(host.port(), 4, into, next);
        return Hex.write(logOffset, 8, into, next) - at;
    }

    /// Writes the part of an id that tells the messages of one host apart, so that it ends at `end`.
    public static void writeLogOffset(long logOffset, byte[] into, int end) {
        Hex.write(logOffset, 8, into, end - 16);
    }

    public String text() {
        byte[] ascii = new byte[MAX_CHARS];
        return new String(ascii, 0, write(host, logOffset, ascii, 0), StandardCharsets.US_ASCII);
    }
}
