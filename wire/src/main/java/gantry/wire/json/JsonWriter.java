package gantry.wire.json;

import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Writes JSON text, value after value.
///
/// For:   bodies that RocketMQ peers and their tools read.
/// Owner: whoever made it; one text, one thread.
/// Never: sorts; peers write the fields of an object in alphabetical order and so does every caller. Never writes a
///        field that is null.
public final class JsonWriter {
    private static final char[] HEX = "0123456789ABCDEF".toCharArray();

    private final Dialect dialect;
    private final StringBuilder out = new StringBuilder(256);
    /// A value is complete, so the next one needs a comma.
    private boolean between;

    public JsonWriter(Dialect dialect) {
        this.dialect = dialect;
    }

    public JsonWriter beginObject() {
        return open('{');
    }

    public JsonWriter endObject() {
        return close('}');
    }

    public JsonWriter beginArray() {
        return open('[');
    }

    public JsonWriter endArray() {
        return close(']');
    }

    /// A key; its value follows.
    public JsonWriter name(String key) {
        separate();
        quoted(key);
        return colon();
    }

    /// A key that is a whole number; its value follows.
    public JsonWriter name(long key) {
        separate();
        if (dialect == Dialect.PEER) {
            out.append(key);
        } else {
            out.append('"').append(key).append('"');
        }
        return colon();
    }

    /// A key that is an object; its value follows.
    public JsonWriter name(Consumer<JsonWriter> key) {
        if (dialect == Dialect.STANDARD) {
            JsonWriter inner = new JsonWriter(dialect);
            key.accept(inner);
            return name(inner.toString());
        }
        separate();
        between = false;
        key.accept(this);
        return colon();
    }

    public JsonWriter text(String value) {
        separate();
        quoted(value);
        between = true;
        return this;
    }

    public JsonWriter whole(long value) {
        return bare(Long.toString(value));
    }

    public JsonWriter decimal(double value) {
        return bare(Double.isFinite(value) ? Double.toString(value) : "null");
    }

    public JsonWriter flag(boolean value) {
        return bare(value ? "true" : "false");
    }

    public JsonWriter field(String name, @Nullable String value) {
        return value == null ? this : name(name).text(value);
    }

    public JsonWriter field(String name, long value) {
        return name(name).whole(value);
    }

    public JsonWriter field(String name, boolean value) {
        return name(name).flag(value);
    }

    public JsonWriter field(String name, Iterable<String> texts) {
        name(name).beginArray();
        texts.forEach(this::text);
        return endArray();
    }

    public JsonWriter field(String name, Map<String, String> table) {
        name(name).beginObject();
        table.forEach(this::field);
        return endObject();
    }

    /// A whole tree.
    public JsonWriter value(Json json) {
        if (json instanceof JsonObject object) {
            beginObject();
            for (int i = 0; i < object.size(); i++) {
                key(object.key(i)).value(object.value(i));
            }
            return endObject();
        }
        if (json instanceof Json.Array(java.util.List<Json> items)) {
            beginArray();
            items.forEach(this::value);
            return endArray();
        }
        if (json instanceof Json.Text(String text)) {
            return text(text);
        }
        if (json instanceof Json.Whole(long value)) {
            return whole(value);
        }
        if (json instanceof Json.Decimal(double value)) {
            return decimal(value);
        }
        if (json instanceof Json.Bool) {
            return flag(json == Json.Bool.TRUE);
        }
        return bare("null");
    }

    private JsonWriter key(Json key) {
        if (key instanceof Json.Text(String text)) {
            return name(text);
        }
        if (key instanceof Json.Whole(long value)) {
            return name(value);
        }
        return name(writer -> writer.value(key));
    }

    private JsonWriter open(char bracket) {
        separate();
        out.append(bracket);
        between = false;
        return this;
    }

    private JsonWriter close(char bracket) {
        out.append(bracket);
        between = true;
        return this;
    }

    private JsonWriter bare(String value) {
        separate();
        out.append(value);
        between = true;
        return this;
    }

    private JsonWriter colon() {
        out.append(':');
        between = false;
        return this;
    }

    private void separate() {
        if (between) {
            out.append(',');
        }
    }

    private void quoted(String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c >= ' ' && c < 0x7F) {
                out.append(c);
            } else {
                unusual(text, i, c);
            }
        }
        out.append('"');
    }

    private void unusual(String text, int index, char c) {
        switch (c) {
            case '\n' -> out.append("\\n");
            case '\r' -> out.append("\\r");
            case '\t' -> out.append("\\t");
            case '\b' -> out.append("\\b");
            case '\f' -> out.append("\\f");
            default -> {
                if (dialect == Dialect.STANDARD
                        || c < 0xA0
                        || c == 0x2028
                        || c == 0x2029
                        || isLoneSurrogate(text, index)) {
                    out.append("\\u")
                            .append(HEX[c >> 12])
                            .append(HEX[c >> 8 & 15])
                            .append(HEX[c >> 4 & 15])
                            .append(HEX[c & 15]);
                } else {
                    out.append(c);
                }
            }
        }
    }

    /// Half a pair would be lost when the text becomes UTF-8.
    private static boolean isLoneSurrogate(String text, int index) {
        char c = text.charAt(index);
        if (Character.isHighSurrogate(c)) {
            return index + 1 == text.length() || !Character.isLowSurrogate(text.charAt(index + 1));
        }
        return Character.isLowSurrogate(c) && (index == 0 || !Character.isHighSurrogate(text.charAt(index - 1)));
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
