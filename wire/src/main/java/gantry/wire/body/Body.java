package gantry.wire.body;

import gantry.wire.json.Dialect;
import gantry.wire.json.JsonWriter;
import java.nio.charset.StandardCharsets;

/// Something that is written as JSON into a frame's body or a file.
///
/// For:   one way to get text or bytes out of every record of this package.
/// Owner: none (immutable).
public interface Body {
    /// Writes itself as one value; fields in alphabetical order of the wire's names, as peers do.
    void write(JsonWriter out);

    default String toJson() {
        return toJson(Dialect.PEER);
    }

    default String toJson(Dialect dialect) {
        JsonWriter out = new JsonWriter(dialect);
        write(out);
        return out.toString();
    }

    /// The same as the UTF-8 bytes of a frame's body.
    default byte[] toBytes() {
        return toBytes(Dialect.PEER);
    }

    default byte[] toBytes(Dialect dialect) {
        return toJson(dialect).getBytes(StandardCharsets.UTF_8);
    }
}
