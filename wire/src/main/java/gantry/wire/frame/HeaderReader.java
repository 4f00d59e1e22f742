package gantry.wire.frame;

import gantry.base.Network;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads the header of one frame after another, in either serialisation, without making maps or strings.
///
/// ```
///   0        4       5              8                8+h             length
///   ┌────────┬───────┬──────────────┬────────────────┬───────────────┐
///   │ length │ codec │ h (24 bits)  │ header         │ body          │      length counts what follows it
///   └────────┴───────┴──────────────┴────────────────┴───────────────┘
/// ```
/// For:   the receiving side of a session.
/// Owner: one session; a reader stands for the last frame that it was given.
/// Never: throws, whatever the bytes are; believes a length before it is checked; looks into the body.
public final class HeaderReader {
    /// Several times what the largest header of an official peer needs: properties of 32767 bytes, every one escaped.
    public static final int MAX_HEADER_BYTES = 1024 * 1024;

    /// Length of the frame, codec and length of the header.
    static final int PREFIX_BYTES = 8;

    /// A scratch array that has grown beyond this is let go with the next header.
    private static final int KEPT_BYTES = 64 * 1024;

    private static final int FIRST_BYTES = 1024;

    private final ParsedHeader parsed = new ParsedHeader();
    private final LastHeader last = new LastHeader();
    private final JsonHeader json = new JsonHeader(last);
    private byte[] arrived = new byte[0];
    private byte[] scratch = new byte[FIRST_BYTES];
    private Codec codec = Codec.JSON;
    private int bodyOffset;
    private int bodyLength;
    private @Nullable String fault;

    /// Reads the header of the frame that starts at `offset` with its four length bytes.
    ///
    /// @param frame big-endian
    /// @param length of the whole frame, the four length bytes included
    /// @return false when the frame is malformed; `fault` says how, and nothing else of this reader counts
    public boolean read(ByteBuffer frame, int offset, int length) {
        bodyLength = 0;
        fault = checkFrame(frame, offset, length);
        if (fault != null) {
            parsed.clear(scratch);
            last.forget();
            return false;
        }
        int headerLength = frame.getInt(offset + 4) & 0xFFFFFF;
        codec = frame.get(offset + 4) == Codec.JSON.mark() ? Codec.JSON : Codec.ROCKETMQ;
        bodyOffset = offset + PREFIX_BYTES + headerLength;
        bodyLength = length - PREFIX_BYTES - headerLength;
        if (codec == Codec.JSON && headerLength <= LastHeader.MOST_BYTES) {
            readAlike(frame, offset + PREFIX_BYTES, headerLength);
        } else {
            last.forget();
            makeRoom(headerLength);
            frame.get(offset + PREFIX_BYTES, scratch, 0, headerLength);
            parse(headerLength);
        }
        return fault == null;
    }

    /// Parses a header only if it is not like the one before.
    private void readAlike(ByteBuffer frame, int from, int headerLength) {
        if (arrived.length < headerLength) {
            arrived = new byte[roomFor(headerLength)];
        }
        frame.get(from, arrived, 0, headerLength);
        if (last.becomes(arrived, headerLength, parsed, scratch)) {
            return;
        }
        makeRoom(headerLength);
        System.arraycopy(arrived, 0, scratch, 0, headerLength);
        last.begin(arrived, headerLength);
        parse(headerLength);
        if (fault != null) {
            last.forget();
        }
    }

    private void parse(int headerLength) {
        parsed.clear(scratch);
        fault = codec == Codec.JSON
                ? json.parse(scratch, headerLength, parsed)
                : BinaryHeader.parse(scratch, headerLength, parsed);
    }

    private static @Nullable String checkFrame(ByteBuffer frame, int offset, int length) {
        if (offset < 0 || length < PREFIX_BYTES || length > frame.limit() - offset) {
            return "the frame has " + length + " bytes, which are not there or fewer than any has";
        }
        if (length > Network.MAX_FRAME_BYTES) {
            return "the frame has " + length + " bytes, more than " + Network.MAX_FRAME_BYTES;
        }
        if (frame.getInt(offset) != length - 4) {
            return "the frame says that " + frame.getInt(offset) + " bytes follow, but " + (length - 4) + " do";
        }
        int mark = frame.get(offset + 4);
        if (mark != Codec.JSON.mark() && mark != Codec.ROCKETMQ.mark()) {
            return "the frame's header is of the unknown kind " + mark;
        }
        int headerLength = frame.getInt(offset + 4) & 0xFFFFFF;
        if (headerLength > length - PREFIX_BYTES) {
            return "the header claims " + headerLength + " bytes of a frame of " + length;
        }
        if (headerLength > MAX_HEADER_BYTES) {
            return "the header has " + headerLength + " bytes, more than " + MAX_HEADER_BYTES;
        }
        return null;
    }

    private void makeRoom(int headerLength) {
        int wanted = headerLength + JsonHeader.SPARE_BYTES;
        boolean tooLarge = scratch.length > KEPT_BYTES && wanted <= KEPT_BYTES;
        if (scratch.length < wanted || tooLarge) {
            scratch = new byte[roomFor(wanted)];
        }
    }

    private static int roomFor(int bytes) {
        return Integer.highestOneBit(Math.max(bytes, FIRST_BYTES) - 1) * 2;
    }

    /// What is wrong with this frame; also set by the first `require…` or number that fails.
    public @Nullable String fault() {
        return fault;
    }

    public Codec codec() {
        return codec;
    }

    public int code() {
        return parsed.code;
    }

    public int flags() {
        return parsed.flags;
    }

    public boolean isAnswer() {
        return FrameFlags.isAnswer(parsed.flags);
    }

    public boolean isOneway() {
        return FrameFlags.isOneway(parsed.flags);
    }

    public int correlationId() {
        return parsed.correlationId;
    }

    public int version() {
        return parsed.version;
    }

    public Language language() {
        return parsed.language;
    }

    public @Nullable String remark() {
        return parsed.remarkLength < 0
                ? null
                : new String(scratch, parsed.remarkFrom, parsed.remarkLength, StandardCharsets.UTF_8);
    }

    /// Where the body starts, in the buffer that was read.
    public int bodyOffset() {
        return bodyOffset;
    }

    /// 0 when there is no body.
    public int bodyLength() {
        return bodyLength;
    }

    /// Where the fields stand, for readers of whole headers; valid until the next `read`.
    public FieldTable table() {
        return parsed.fields;
    }

    /// How many fields have a value.
    public int fieldCount() {
        int with = 0;
        for (int i = 0; i < parsed.fields.count(); i++) {
            with += parsed.fields.hasValue(i) ? 1 : 0;
        }
        return with;
    }

    public boolean has(FieldName name) {
        return parsed.fields.find(name) >= 0;
    }

    public @Nullable String text(FieldName name) {
        int index = parsed.fields.find(name);
        return index < 0 ? null : parsed.fields.value(index);
    }

    /// The field's text; empty, and `fault` is set, when there is none.
    public String requireText(FieldName name) {
        return requireTextAt(parsed.fields.find(name), name);
    }

    /// The field's number; `absent` when there is none, and also, with `fault` set, when it is no number.
    public int intOr(FieldName name, int absent) {
        return intAt(parsed.fields.find(name), name, absent);
    }

    /// The field's number; 0, and `fault` is set, when there is none.
    public int requireInt(FieldName name) {
        return requireIntAt(parsed.fields.find(name), name);
    }

    public long longOr(FieldName name, long absent) {
        return longAt(parsed.fields.find(name), name, absent);
    }

    public long requireLong(FieldName name) {
        return requireLongAt(parsed.fields.find(name), name);
    }

    /// True for `true` in any case, false for any other value.
    public boolean booleanOr(FieldName name, boolean absent) {
        return booleanAt(parsed.fields.find(name), absent);
    }

    /// As `requireText`, for a field whose index in `table` is known; a negative one means that it is missing.
    public String requireTextAt(int index, FieldName name) {
        if (index < 0) {
            missing(name);
            return "";
        }
        return parsed.fields.value(index);
    }

    /// As `intOr`, for a field whose index in `table` is known.
    public int intAt(int index, FieldName name, int absent) {
        if (index < 0) {
            return absent;
        }
        long number = number(index);
        if (!Digits.isInt(number)) {
            noNumber(index, name, 32);
            return absent;
        }
        return (int) number;
    }

    public int requireIntAt(int index, FieldName name) {
        if (index < 0) {
            missing(name);
        }
        return intAt(index, name, 0);
    }

    public long longAt(int index, FieldName name, long absent) {
        if (index < 0) {
            return absent;
        }
        long number = number(index);
        if (number == Digits.NOT_A_NUMBER) {
            noNumber(index, name, 64);
            return absent;
        }
        return number;
    }

    public long requireLongAt(int index, FieldName name) {
        if (index < 0) {
            missing(name);
        }
        return longAt(index, name, 0);
    }

    public boolean booleanAt(int index, boolean absent) {
        return index < 0 ? absent : parsed.fields.isValue(index, "true");
    }

    private long number(int index) {
        return Digits.parse(scratch, parsed.fields.valueFrom(index), parsed.fields.valueLength(index));
    }

    private void missing(FieldName name) {
        if (fault == null) {
            fault = "field " + name + " is missing";
        }
    }

    private void noNumber(int index, FieldName name, int bits) {
        if (fault == null) {
            int shown = Math.min(parsed.fields.valueLength(index), Digits.MAX_CHARS);
            String start = new String(scratch, parsed.fields.valueFrom(index), shown, StandardCharsets.UTF_8);
            fault = "field " + name + " is \"" + start + "\", which is not a number of " + bits + " bits";
        }
    }

    /// Copies the value's UTF-8 bytes, with escapes undone.
    ///
    /// @return how many bytes, -1 when there is no such field or `into` has too little room behind `at`
    public int copy(FieldName name, byte[] into, int at) {
        int index = parsed.fields.find(name);
        if (index < 0) {
            return -1;
        }
        int length = parsed.fields.valueLength(index);
        if (length > into.length - at) {
            return -1;
        }
        System.arraycopy(scratch, parsed.fields.valueFrom(index), into, at, length);
        return length;
    }

    /// All fields with a value, in their order on the wire; for cold paths.
    public Map<String, String> fields() {
        FieldTable table = parsed.fields;
        Map<String, String> all = new LinkedHashMap<>();
        for (int i = 0; i < table.count(); i++) {
            if (table.hasValue(i)) {
                all.put(table.key(i), table.value(i));
            } else {
                all.remove(table.key(i));
            }
        }
        return all;
    }
}
