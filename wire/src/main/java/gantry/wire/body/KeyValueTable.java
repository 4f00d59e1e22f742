package gantry.wire.body;

import gantry.wire.json.Json;
import gantry.wire.json.JsonFault;
import gantry.wire.json.JsonWriter;
import java.util.Map;

/// A table of text.
///
/// For:   code 219, the answer to a registration, and the broker's figures of code 28.
/// Owner: none (immutable).
public record KeyValueTable(Map<String, String> table) implements Body {
    public KeyValueTable {
        table = Tables.frozen(table);
    }

    public static KeyValueTable fromJson(Json json) throws JsonFault {
        return new KeyValueTable(json.asObject("a table").textTable("table"));
    }

    @Override
    public void write(JsonWriter out) {
        out.beginObject().field("table", table).endObject();
    }
}
