package gantry.control.nameserver;

import gantry.wire.body.Body;
import gantry.wire.frame.FieldName;
import gantry.wire.frame.FrameWriter;
import gantry.wire.frame.ResponseCodes;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a request is answered.
///
/// For:   handlers that decide, without knowing how an answer travels.
/// Owner: none (immutable; the body's bytes are never changed).
final class Answer {
    static final Answer OK = new Answer(ResponseCodes.SUCCESS, null, Map.of(), null);

    private final int code;
    private final @Nullable String remark;
    private final Map<FieldName, String> fields;
    private final byte @Nullable [] body;

    private Answer(int code, @Nullable String remark, Map<FieldName, String> fields, byte @Nullable [] body) {
        this.code = code;
        this.remark = remark;
        this.fields = fields;
        this.body = body;
    }

    static Answer of(Body body) {
        return of(body.toBytes());
    }

    static Answer of(byte[] body) {
        return new Answer(ResponseCodes.SUCCESS, null, Map.of(), body);
    }

    /// @param sentence for people; programs go by the code
    static Answer refused(int code, String sentence) {
        return new Answer(code, sentence, Map.of(), null);
    }

    static Answer failed(String sentence) {
        return refused(ResponseCodes.SYSTEM_ERROR, sentence);
    }

    /// With one field more; null adds none.
    Answer with(FieldName name, @Nullable String value) {
        if (value == null) {
            return this;
        }
        Map<FieldName, String> more = new LinkedHashMap<>(fields);
        more.put(name, value);
        return new Answer(code, remark, more, body);
    }

    Answer with(FieldName name, long value) {
        return with(name, Long.toString(value));
    }

    Answer withBody(@Nullable Body other) {
        return other == null ? this : new Answer(code, remark, fields, other.toBytes());
    }

    int code() {
        return code;
    }

    /// Writes what stands behind `FrameWriter.begin`.
    void write(FrameWriter out) {
        out.remark(remark);
        fields.forEach(out::field);
        if (body == null) {
            out.end(0);
        } else {
            out.end(body);
        }
    }
}
