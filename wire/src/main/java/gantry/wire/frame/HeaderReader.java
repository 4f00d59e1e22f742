package gantry.wire.frame;

import java.nio.ByteBuffer;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads the header of one frame after another, in either serialisation, without making maps or strings.
///
/// For:   the receiving side of a session.
/// Owner: one session; a reader stands for the last frame that it was given.
/// Never: throws, whatever the bytes are; believes a length before it is checked; looks into the body.
public final class HeaderReader {
    /// Reads the header of the frame that starts at `offset` with its four length bytes.
    ///
    /// @param length of the whole frame, the four length bytes included
    /// @return false when the frame is malformed; `fault` says how, and nothing else of this reader counts
    public boolean read(ByteBuffer frame, int offset, int length) {
        return false;
    }

    /// What is wrong with this frame; also set by the first `require…` or number that fails.
    public @Nullable String fault() {
        return null;
    }

    public Codec codec() {
        return Codec.JSON;
    }

    public int code() {
        return 0;
    }

    public int flags() {
        return 0;
    }

    public boolean isAnswer() {
        return FrameFlags.isAnswer(flags());
    }

    public boolean isOneway() {
        return FrameFlags.isOneway(flags());
    }

    public int correlationId() {
        return 0;
    }

    public int version() {
        return 0;
    }

    public Language language() {
        return Language.JAVA;
    }

    public @Nullable String remark() {
        return null;
    }

    /// Where the body starts, in the buffer that was read.
    public int bodyOffset() {
        return 0;
    }

    /// 0 when there is no body.
    public int bodyLength() {
        return 0;
    }

    /// How many fields have a value.
    public int fieldCount() {
        return 0;
    }

    public boolean has(FieldName name) {
        return false;
    }

    public @Nullable String text(FieldName name) {
        return null;
    }

    /// The field's text; empty, and `fault` is set, when there is none.
    public String requireText(FieldName name) {
        return "";
    }

    /// The field's number; `absent` when there is none, and also, with `fault` set, when it is no number.
    public int intOr(FieldName name, int absent) {
        return 0;
    }

    /// The field's number; 0, and `fault` is set, when there is none.
    public int requireInt(FieldName name) {
        return 0;
    }

    public long longOr(FieldName name, long absent) {
        return 0;
    }

    public long requireLong(FieldName name) {
        return 0;
    }

    /// True for `true` in any case, false for any other value.
    public boolean booleanOr(FieldName name, boolean absent) {
        return false;
    }

    /// Copies the value's UTF-8 bytes, with escapes undone, to `into`, which must have room for `MAX_HEADER_BYTES` or
    /// for what `valueLength` says.
    ///
    /// @return how many bytes, -1 when there is no such field or too little room
    public int copy(FieldName name, byte[] into, int at) {
        return 0;
    }

    /// All fields with a value, in their order on the wire; for cold paths.
    public Map<String, String> fields() {
        return Map.of();
    }
}
