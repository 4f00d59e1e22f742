package gantry.wire.frame;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A whole frame as a value.
///
/// For:   paths where a map costs nothing that matters: nameserver, registration, command line, tests.
/// Owner: none (immutable; the body array is shared and must not be changed).
/// Never: the hot path; see `HeaderReader` and `FrameWriter`.
public final class Command {
    private static final byte[] NO_BODY = new byte[0];

    /// Whatever the characters are, their UTF-8 then fits the 16 bits that the binary header has for a name's length.
    private static final int BINARY_NAME_MAX_CHARS = 10_000;

    private final Codec codec;
    private final int code;
    private final Language language;
    private final int version;
    private final int correlationId;
    private final int flags;
    private final @Nullable String remark;
    private final Map<String, String> fields;
    private final byte[] body;

    private Command(
            Codec codec,
            int code,
            Language language,
            int version,
            int correlationId,
            int flags,
            @Nullable String remark,
            Map<String, String> fields,
            byte[] body) {
        this.codec = codec;
        this.code = code;
        this.language = language;
        this.version = version;
        this.correlationId = correlationId;
        this.flags = flags;
        this.remark = remark;
        this.fields = fields;
        this.body = body;
    }

    /// A request that wants an answer, as JSON, without fields and body.
    public static Command request(int code) {
        return new Command(
                Codec.JSON, code, Language.JAVA, Versions.OURS, 0, FrameFlags.REQUEST, null, Map.of(), NO_BODY);
    }

    /// An answer to `request`: its serialisation and correlation id.
    public static Command answer(Command request, int code) {
        return new Command(
                request.codec,
                code,
                Language.JAVA,
                Versions.OURS,
                request.correlationId,
                FrameFlags.ANSWER,
                null,
                Map.of(),
                NO_BODY);
    }

    /// The frame as a value; null when it is malformed.
    public static @Nullable Command decode(ByteBuffer frame, int offset, int length) {
        HeaderReader header = new HeaderReader();
        return header.read(frame, offset, length) ? of(header, frame) : null;
    }

    /// What `header` has just read from `frame`, as a value.
    public static Command of(HeaderReader header, ByteBuffer frame) {
        byte[] body = header.bodyLength() == 0 ? NO_BODY : new byte[header.bodyLength()];
        frame.get(header.bodyOffset(), body);
        return new Command(
                header.codec(),
                header.code(),
                header.language(),
                header.version(),
                header.correlationId(),
                header.flags(),
                header.remark(),
                Collections.unmodifiableMap(header.fields()),
                body);
    }

    public Command withCodec(Codec other) {
        return new Command(other, code, language, version, correlationId, flags, remark, fields, body);
    }

    public Command withVersion(int other) {
        return new Command(codec, code, language, other, correlationId, flags, remark, fields, body);
    }

    public Command withLanguage(Language other) {
        return new Command(codec, code, other, version, correlationId, flags, remark, fields, body);
    }

    public Command withCorrelationId(int other) {
        return new Command(codec, code, language, version, other, flags, remark, fields, body);
    }

    public Command withFlags(int other) {
        return new Command(codec, code, language, version, correlationId, other, remark, fields, body);
    }

    /// The same as a request that wants no answer.
    public Command oneway() {
        return withFlags(flags | FrameFlags.ONEWAY);
    }

    public Command withRemark(@Nullable String other) {
        return new Command(codec, code, language, version, correlationId, flags, other, fields, body);
    }

    public Command with(FieldName name, String value) {
        return with(name.text(), value);
    }

    public Command with(FieldName name, long value) {
        return with(name.text(), Long.toString(value));
    }

    public Command with(FieldName name, boolean value) {
        return with(name.text(), Boolean.toString(value));
    }

    public Command with(String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(fields);
        more.put(name, value);
        return withFields(more);
    }

    public Command withFields(Map<String, String> others) {
        return new Command(
                codec,
                code,
                language,
                version,
                correlationId,
                flags,
                remark,
                Collections.unmodifiableMap(new LinkedHashMap<>(others)),
                body);
    }

    public Command withBody(byte[] other) {
        return new Command(codec, code, language, version, correlationId, flags, remark, fields, other);
    }

    /// The whole frame, its four length bytes included.
    public byte[] encode() {
        FrameWriter writer = new FrameWriter();
        boolean fitsBinary = fields.keySet().stream().allMatch(name -> name.length() <= BINARY_NAME_MAX_CHARS);
        writer.begin(fitsBinary ? codec : Codec.JSON, code, language, version, flags, correlationId);
        writer.remark(remark);
        fields.forEach(writer::field);
        writer.end(body);
        return Arrays.copyOf(writer.bytes(), writer.size());
    }

    public Codec codec() {
        return codec;
    }

    public int code() {
        return code;
    }

    public Language language() {
        return language;
    }

    public int version() {
        return version;
    }

    public int correlationId() {
        return correlationId;
    }

    public int flags() {
        return flags;
    }

    public boolean isAnswer() {
        return FrameFlags.isAnswer(flags);
    }

    public boolean isOneway() {
        return FrameFlags.isOneway(flags);
    }

    public @Nullable String remark() {
        return remark;
    }

    /// In their order on the wire.
    public Map<String, String> fields() {
        return fields;
    }

    public @Nullable String field(FieldName name) {
        return fields.get(name.text());
    }

    /// The field's text, or `absent`.
    public String fieldOr(FieldName name, String absent) {
        return fields.getOrDefault(name.text(), absent);
    }

    /// Empty when there is none; shared, never to be changed.
    public byte[] body() {
        return body;
    }

    @Override
    public String toString() {
        return (isAnswer() ? "answer " : "request ") + code + " #" + correlationId + " " + fields
                + (remark == null ? "" : " \"" + remark + "\"") + " + " + body.length + " bytes";
    }
}
