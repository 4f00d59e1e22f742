package gantry.bench.load;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/// Encodes requests the way the official Java client 5.5.0 does.
///
/// For:   turning a code, fields and a body into one frame.
/// Owner: none (stateless).
/// Never: the hot path; what is sent often is encoded once and patched (see `Template`).
///
/// ```
///   0        4          5                8            8+h
///   | length | codec:1  | header size h:3 | header     | body |        length counts from byte 4
/// ```
final class Frames {
    /// The version ordinal of 5.5.0.
    static final int VERSION = 513;
    /// Where the correlation id stands in a frame with a binary header: code 2, language 1, version 2 go before it.
    static final int BINARY_ID_AT = 8 + 5;

    private Frames() {}

    static byte[] encode(Codec codec, int code, int flags, int correlationId, Map<String, String> fields, byte[] body) {
        byte[] header = codec == Codec.JSON
                ? json(code, flags, correlationId, fields)
                : binary(code, flags, correlationId, fields);
        ByteBuffer frame = ByteBuffer.allocate(8 + header.length + body.length);
        frame.putInt(4 + header.length + body.length);
        frame.putInt((codec == Codec.JSON ? 0 : 1 << 24) | header.length);
        frame.put(header).put(body);
        return frame.array();
    }

    private static byte[] json(int code, int flags, int correlationId, Map<String, String> fields) {
        StringBuilder text = new StringBuilder(512);
        text.append("{\"code\":").append(code).append(",\"extFields\":{");
        String comma = "";
        for (Map.Entry<String, String> field : fields.entrySet()) {
            text.append(comma);
            quote(text, field.getKey());
            text.append(':');
            quote(text, field.getValue());
            comma = ",";
        }
        text.append("},\"flag\":").append(flags).append(",\"language\":\"JAVA\",\"opaque\":");
        text.append(correlationId).append(",\"serializeTypeCurrentRPC\":\"JSON\",\"version\":");
        text.append(VERSION).append('}');
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static void quote(StringBuilder text, String value) {
        text.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c < ' ') {
                text.append("\\u00").append(Character.forDigit(c >> 4, 16)).append(Character.forDigit(c & 15, 16));
            } else if (c == '"' || c == '\\') {
                text.append('\\').append(c);
            } else {
                text.append(c);
            }
        }
        text.append('"');
    }

    private static byte[] binary(int code, int flags, int correlationId, Map<String, String> fields) {
        int extBytes = 0;
        for (Map.Entry<String, String> field : fields.entrySet()) {
            extBytes += 2 + utf8(field.getKey()).length + 4 + utf8(field.getValue()).length;
        }
        ByteBuffer header = ByteBuffer.allocate(2 + 1 + 2 + 4 + 4 + 4 + 4 + extBytes);
        header.putShort((short) code).put((byte) 0).putShort((short) VERSION);
        header.putInt(correlationId).putInt(flags);
        header.putInt(0); // no remark
        header.putInt(extBytes);
        for (Map.Entry<String, String> field : fields.entrySet()) {
            byte[] key = utf8(field.getKey());
            byte[] value = utf8(field.getValue());
            header.putShort((short) key.length).put(key).putInt(value.length).put(value);
        }
        return header.array();
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
