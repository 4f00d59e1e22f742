package gantry.wire.body;

import gantry.wire.json.Json;
import gantry.wire.json.JsonFault;
import gantry.wire.json.JsonObject;
import gantry.wire.json.JsonWriter;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.zip.CRC32;

/// What a broker tells a nameserver about itself beside the header.
///
/// For:   code 103, in the plain form; `CompressedRegistration` has the other one.
/// Owner: none (immutable).
///
/// @param filterServers legacy, nearly always empty
public record Registration(TopicTable table, List<String> filterServers) implements Body {
    public static final Registration EMPTY = new Registration(TopicTable.EMPTY, List.of());

    public Registration {
        filterServers = List.copyOf(filterServers);
    }

    public static Registration fromJson(Json json) throws JsonFault {
        JsonObject object = json.asObject("a registration");
        Json table = object.find("topicConfigSerializeWrapper");
        return new Registration(
                table == null ? TopicTable.EMPTY : TopicTable.fromJson(table), object.texts("filterServerList"));
    }

    @Override
    public void write(JsonWriter out) {
        out.beginObject().field("filterServerList", filterServers);
        table.write(out.name("topicConfigSerializeWrapper"));
        out.endObject();
    }

    /// The header field `bodyCrc32` of a body, in either form.
    public static int checksum(byte[] body) {
        return checksum(ByteBuffer.wrap(body), 0, body.length);
    }

    public static int checksum(ByteBuffer frame, int offset, int length) {
        CRC32 crc = new CRC32();
        crc.update(frame.duplicate().limit(offset + length).position(offset));
        return (int) crc.getValue() & Integer.MAX_VALUE;
    }
}
