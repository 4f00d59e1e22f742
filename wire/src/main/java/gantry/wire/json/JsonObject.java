package gantry.wire.json;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Members in the order they stood in; a key may be any JSON value.
///
/// For:   picking fields by name, and walking tables.
/// Owner: none (immutable).
/// Never: a hash map of keys: a stranger could fill it with keys of one hash. Picking by name walks the members, which
///        are few where names are picked; of two members with one name the last counts.
public final class JsonObject implements Json {
    public static final JsonObject EMPTY = new JsonObject(new Json[0]);

    /// Key, value, key, value …
    private final Json[] flat;

    JsonObject(Json[] keysAndValues) {
        this.flat = keysAndValues;
    }

    public int size() {
        return flat.length / 2;
    }

    public Json key(int index) {
        return flat[2 * index];
    }

    public Json value(int index) {
        return flat[2 * index + 1];
    }

    /// The key as text; a bare whole number counts as its digits.
    public String name(int index, String what) throws JsonFault {
        return key(index).asText("a key of " + what);
    }

    /// The value of a field, or null when it is absent or null.
    public @Nullable Json find(String name) {
        for (int i = flat.length - 2; i >= 0; i -= 2) {
            if (flat[i] instanceof Json.Text(String key) && key.equals(name)) {
                return flat[i + 1] == Json.Null.NULL ? null : flat[i + 1];
            }
        }
        return null;
    }

    public @Nullable String text(String name) throws JsonFault {
        Json value = find(name);
        return value == null ? null : value.asText(name);
    }

    public String text(String name, String absent) throws JsonFault {
        Json value = find(name);
        return value == null ? absent : value.asText(name);
    }

    public String requireText(String name) throws JsonFault {
        Json value = find(name);
        if (value == null) {
            throw JsonFault.of("the field " + name + " is missing");
        }
        return value.asText(name);
    }

    public long whole(String name, long absent) throws JsonFault {
        Json value = find(name);
        return value == null ? absent : value.asWhole(name);
    }

    public int whole(String name, int absent) throws JsonFault {
        Json value = find(name);
        return value == null ? absent : value.asInt(name);
    }

    public boolean flag(String name, boolean absent) throws JsonFault {
        Json value = find(name);
        return value == null ? absent : value.asFlag(name);
    }

    /// An object, empty when absent.
    public JsonObject object(String name) throws JsonFault {
        Json value = find(name);
        return value == null ? EMPTY : value.asObject(name);
    }

    /// The items of an array, none when absent.
    public List<Json> array(String name) throws JsonFault {
        Json value = find(name);
        return value == null ? List.of() : value.asArray(name);
    }

    public List<String> texts(String name) throws JsonFault {
        Json value = find(name);
        return value == null ? List.of() : value.asTexts(name);
    }

    /// A table of text, empty when absent; members that are null are left out.
    public Map<String, String> textTable(String name) throws JsonFault {
        JsonObject table = object(name);
        Map<String, String> texts = new LinkedHashMap<>();
        for (int i = 0; i < table.size(); i++) {
            if (table.value(i) != Json.Null.NULL) {
                texts.put(table.name(i, name), table.value(i).asText(name));
            }
        }
        return texts;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof JsonObject object && Arrays.equals(flat, object.flat);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(flat);
    }

    @Override
    public String toString() {
        return new JsonWriter(Dialect.PEER).value(this).toString();
    }
}
