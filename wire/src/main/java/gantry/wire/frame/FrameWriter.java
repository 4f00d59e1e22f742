package gantry.wire.frame;

import gantry.base.Invariant;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Writes frames one after another into a growing array of its own.
///
/// ```
///   begin ─▶ remark? ─▶ field* ─▶ end ─▶ (begin …) ─▶ Link.send(bytes(), 0, size()) ─▶ reset
/// ```
/// For:   the sending side of a session.
/// Owner: one session or sequencer; `bytes` is valid until the next call.
/// Never: makes strings or maps; splits or limits frames.
/// Holds: FRAME-1 a frame is ended before the next begins, and its remark comes before its fields.
public final class FrameWriter {
    private static final int FIRST_BYTES = 1024;

    /// An array that has grown beyond this is let go by `reset`.
    private static final int KEPT_BYTES = 256 * 1024;

    private static final int NO_FRAME = -1;

    private static final byte[] CODE = ascii("{\"code\":");
    private static final byte[] US =
            ascii(",\"language\":\"" + Language.JAVA + "\",\"version\":" + Versions.OURS + ",\"opaque\":");
    private static final byte[] LANGUAGE = ascii(",\"language\":\"");
    private static final byte[] VERSION = ascii("\",\"version\":");
    private static final byte[] OPAQUE = ascii(",\"opaque\":");
    private static final byte[] FLAG = ascii(",\"flag\":");
    private static final byte[] REMARK = ascii(",\"remark\":\"");
    private static final byte[] FIELDS = ascii(",\"extFields\":{");
    private static final byte[] TRUE = ascii("true");
    private static final byte[] FALSE = ascii("false");

    private byte[] bytes = new byte[FIRST_BYTES];
    private int size;
    private boolean isJson;
    private int frameFrom = NO_FRAME;
    /// In a JSON header: whether the object of the fields is open. In a binary one: whether the remark is written.
    private boolean fieldsBegun;
    /// Where the fields of a binary header start.
    private int fieldsFrom;

    /// @param code a number outside 16 bits makes the frame JSON, because the binary header has no room for it
    public void begin(Codec codec, int code, int flags, int correlationId) {
        begin(codec, code, Language.JAVA, Versions.OURS, flags, correlationId);
    }

    void begin(Codec codec, int code, Language language, int version, int flags, int correlationId) {
        Invariant.check(frameFrom == NO_FRAME, "FRAME-1 a frame begins before the last one was ended");
        frameFrom = size;
        fieldsBegun = false;
        isJson = codec == Codec.JSON || code != (short) code;
        makeRoom(256);
        size += HeaderReader.PREFIX_BYTES;
        if (isJson) {
            beginJson(code, language, version, flags, correlationId);
        } else {
            beginBinary(code, language, version, flags, correlationId);
        }
    }

    private void beginJson(int code, Language language, int version, int flags, int correlationId) {
        append(CODE);
        size = Digits.write(code, bytes, size);
        if (language == Language.JAVA && version == Versions.OURS) {
            append(US);
        } else {
            append(LANGUAGE);
            append(ascii(language.name()));
            append(VERSION);
            size = Digits.write(version, bytes, size);
            append(OPAQUE);
        }
        size = Digits.write(correlationId, bytes, size);
        append(FLAG);
        size = Digits.write(flags, bytes, size);
    }

    private void beginBinary(int code, Language language, int version, int flags, int correlationId) {
        BinaryHeader.SHORT.set(bytes, size, (short) code);
        bytes[size + 2] = (byte) language.number();
        BinaryHeader.SHORT.set(bytes, size + 3, (short) version);
        BinaryHeader.INT.set(bytes, size + 5, correlationId);
        BinaryHeader.INT.set(bytes, size + 9, flags);
        size += 13;
    }

    /// Must come before the fields; null writes none.
    public void remark(@Nullable String text) {
        Invariant.check(!fieldsBegun, "FRAME-1 a remark comes after a field");
        if (text == null) {
            return;
        }
        if (isJson) {
            makeRoom(REMARK.length);
            append(REMARK);
            appendText(text);
            makeRoom(1);
            bytes[size++] = '"';
        } else {
            makeRoom(4);
            int lengthAt = size;
            size += 4;
            appendText(text);
            BinaryHeader.INT.set(bytes, lengthAt, size - lengthAt - 4);
            beginBinaryFields();
        }
    }

    public void field(FieldName name, long value) {
        beginField(name, Digits.MAX_CHARS);
        int valueFrom = size;
        size = Digits.write(value, bytes, size);
        endField(valueFrom);
    }

    /// Null writes no field.
    public void field(FieldName name, @Nullable String value) {
        if (value == null) {
            return;
        }
        beginField(name, value.length());
        int valueFrom = size;
        appendText(value);
        endField(valueFrom);
    }

    public void field(FieldName name, boolean value) {
        byte[] word = value ? TRUE : FALSE;
        fieldAscii(name, word, 0, word.length);
    }

    /// A value of plain ASCII in which nothing needs an escape: digits, hex, names.
    public void fieldAscii(FieldName name, byte[] from, int offset, int length) {
        beginField(name, length);
        int valueFrom = size;
        System.arraycopy(from, offset, bytes, size, length);
        size += length;
        endField(valueFrom);
    }

    /// A value of any UTF-8 bytes.
    public void fieldUtf8(FieldName name, byte[] from, int offset, int length) {
        beginField(name, length);
        int valueFrom = size;
        if (isJson) {
            appendEscaped(from, offset, length);
        } else {
            System.arraycopy(from, offset, bytes, size, length);
            size += length;
        }
        endField(valueFrom);
    }

    /// A field whose name may be anything that a peer has sent us before.
    void field(String name, String value) {
        byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
        makeRoom(FIELDS.length + 8 + utf8.length);
        if (isJson) {
            beginJsonField();
            bytes[size++] = '"';
            appendEscaped(utf8, 0, utf8.length);
            makeRoom(3);
            bytes[size++] = '"';
            bytes[size++] = ':';
            bytes[size++] = '"';
        } else {
            beginBinaryField(utf8);
        }
        int valueFrom = size;
        appendText(value);
        endField(valueFrom);
    }

    /// Writes all up to the value, and makes room for `valueBytes` of it and what follows it.
    private void beginField(FieldName name, int valueBytes) {
        byte[] key = name.jsonKey();
        makeRoom(FIELDS.length + 16 + key.length + valueBytes);
        if (isJson) {
            beginJsonField();
            append(key);
        } else {
            beginBinaryField(name.ascii());
        }
    }

    private void beginJsonField() {
        if (fieldsBegun) {
            bytes[size++] = ',';
        } else {
            fieldsBegun = true;
            append(FIELDS);
        }
    }

    private void beginBinaryField(byte[] name) {
        beginBinaryFields();
        makeRoom(6 + name.length);
        BinaryHeader.SHORT.set(bytes, size, (short) name.length);
        size += 2;
        append(name);
        size += 4;
    }

    private void endField(int valueFrom) {
        if (isJson) {
            makeRoom(1);
            bytes[size++] = '"';
        } else {
            BinaryHeader.INT.set(bytes, valueFrom - 4, size - valueFrom);
        }
    }

    /// Writes the two lengths that stand before the fields of a binary header, if they are not there yet.
    private void beginBinaryFields() {
        if (fieldsBegun) {
            return;
        }
        fieldsBegun = true;
        makeRoom(8);
        boolean hasRemark = size != frameFrom + HeaderReader.PREFIX_BYTES + 13;
        if (!hasRemark) {
            BinaryHeader.INT.set(bytes, size, 0);
            size += 4;
        }
        BinaryHeader.INT.set(bytes, size, 0);
        size += 4;
        fieldsFrom = size;
    }

    /// Ends the frame; the caller sends `bodyLength` bytes right behind it.
    public void end(int bodyLength) {
        Invariant.check(frameFrom != NO_FRAME, "FRAME-1 a frame ends that was not begun");
        if (isJson) {
            makeRoom(2);
            if (fieldsBegun) {
                bytes[size++] = '}';
            }
            bytes[size++] = '}';
        } else {
            beginBinaryFields();
            BinaryHeader.INT.set(bytes, fieldsFrom - 4, size - fieldsFrom);
        }
        int headerLength = size - frameFrom - HeaderReader.PREFIX_BYTES;
        Invariant.check(headerLength <= 0xFFFFFF, "FRAME-1 a header has more bytes than its length can say");
        BinaryHeader.INT.set(bytes, frameFrom, 4 + headerLength + bodyLength);
        BinaryHeader.INT.set(
                bytes, frameFrom + 4, ((isJson ? Codec.JSON.mark() : Codec.ROCKETMQ.mark()) << 24) | headerLength);
        frameFrom = NO_FRAME;
    }

    public void end(byte[] body) {
        end(body, 0, body.length);
    }

    /// Ends the frame with that part of `body`.
    public void end(byte[] body, int from, int length) {
        end(length);
        makeRoom(length);
        System.arraycopy(body, from, bytes, size, length);
        size += length;
    }

    /// The array with the frames, from 0 to `size`.
    public byte[] bytes() {
        return bytes;
    }

    public int size() {
        return size;
    }

    /// Forgets all frames, also one that was not ended.
    public void reset() {
        size = 0;
        frameFrom = NO_FRAME;
        if (bytes.length > KEPT_BYTES) {
            bytes = new byte[FIRST_BYTES];
        }
    }

    private void makeRoom(int more) {
        if (more > bytes.length - size) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + more));
        }
    }

    /// Appends what there is room for.
    private void append(byte[] all) {
        System.arraycopy(all, 0, bytes, size, all.length);
        size += all.length;
    }

    private void appendText(String text) {
        int length = text.length();
        makeRoom(length);
        int i = 0;
        while (i < length) {
            char c = text.charAt(i);
            if (c >= 0x80 || (isJson && JsonEscapes.needsEscape(c))) {
                break;
            }
            bytes[size++] = (byte) c;
            i++;
        }
        if (i < length) {
            byte[] rest = text.substring(i).getBytes(StandardCharsets.UTF_8);
            if (isJson) {
                appendEscaped(rest, 0, rest.length);
            } else {
                makeRoom(rest.length);
                append(rest);
            }
        }
    }

    private void appendEscaped(byte[] from, int offset, int length) {
        makeRoom(length);
        int end = offset + length;
        for (int i = offset; i < end; i++) {
            int b = from[i];
            if (JsonEscapes.needsEscape(b)) {
                makeRoom(6 + end - i);
                size = JsonEscapes.write(b, bytes, size);
            } else {
                bytes[size++] = (byte) b;
            }
        }
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
