package gantry.wire.frame;

import org.jspecify.annotations.Nullable;

/// Writes frames one after another into a growing array of its own.
///
/// ```
///   begin ─▶ remark? ─▶ field* ─▶ end ─▶ (begin …) ─▶ Link.send(bytes(), 0, size()) ─▶ reset
/// ```
/// For:   the sending side of a session.
/// Owner: one session or sequencer; `bytes` is valid until the next call.
/// Never: makes strings or maps; splits or limits frames.
public final class FrameWriter {
    /// @param code a number outside 16 bits makes the frame JSON, because the binary header has no room for it
    public void begin(Codec codec, int code, int flags, int correlationId) {}

    /// Must come before the fields; null writes none.
    public void remark(@Nullable String text) {}

    public void field(FieldName name, long value) {}

    /// Null writes no field.
    public void field(FieldName name, @Nullable String value) {}

    public void field(FieldName name, boolean value) {}

    /// A value of plain ASCII in which nothing needs an escape: digits, hex, names.
    public void fieldAscii(FieldName name, byte[] bytes, int from, int length) {}

    /// A value of any UTF-8 bytes.
    public void fieldUtf8(FieldName name, byte[] bytes, int from, int length) {}

    /// Ends the frame; the caller sends `bodyLength` bytes right behind it.
    public void end(int bodyLength) {}

    public void end(byte[] body) {}

    /// Ends the frame with that part of `body`.
    public void end(byte[] body, int from, int length) {}

    /// The array with the frames, from 0 to `size`.
    public byte[] bytes() {
        return new byte[0];
    }

    public int size() {
        return 0;
    }

    public void reset() {}
}
