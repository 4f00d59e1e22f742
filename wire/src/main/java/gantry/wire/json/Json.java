package gantry.wire.json;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A JSON value of the peers' dialect, as a tree.
///
/// For:   reading a body in any order of keys, ignoring what is unknown.
/// Owner: none (immutable).
/// Never: the meaning of a field; conversions are the lenient ones that every peer makes (`"12"` is read where 12 is
///        expected), and no more.
public sealed interface Json permits JsonObject, Json.Array, Json.Text, Json.Whole, Json.Decimal, Json.Bool, Json.Null {
    /// Below this a double holds every whole number.
    long EXACT_DECIMALS = 1L << 53;

    record Array(List<Json> items) implements Json {
        static final Array EMPTY = new Array(List.of());

        public Array {
            items = List.copyOf(items);
        }
    }

    record Text(String value) implements Json {}

    record Whole(long value) implements Json {}

    /// Everything with a point or an exponent, and whole numbers beyond 64 bits.
    record Decimal(double value) implements Json {}

    enum Bool implements Json {
        TRUE,
        FALSE
    }

    enum Null implements Json {
        NULL
    }

    /// Reads one value that fills `bytes`.
    static Json read(byte[] bytes) throws JsonFault {
        return new JsonReader(bytes, 0, bytes.length).readAll();
    }

    /// Reads one value that fills the given part of a frame; the frame's bytes are not needed afterwards.
    static Json read(ByteBuffer frame, int offset, int length) throws JsonFault {
        if (frame.hasArray()) {
            return new JsonReader(frame.array(), frame.arrayOffset() + offset, length).readAll();
        }
        byte[] copy = new byte[length];
        frame.get(offset, copy);
        return read(copy);
    }

    static Json read(String text) throws JsonFault {
        return read(text.getBytes(StandardCharsets.UTF_8));
    }

    /// @param what names the value in the sentence of the fault
    default JsonObject asObject(String what) throws JsonFault {
        if (this instanceof JsonObject object) {
            return object;
        }
        throw JsonFault.of(what + " should be an object, not " + describe());
    }

    default List<Json> asArray(String what) throws JsonFault {
        if (this instanceof Array(List<Json> items)) {
            return items;
        }
        throw JsonFault.of(what + " should be an array, not " + describe());
    }

    /// Text; a number or truth value counts as its text.
    default String asText(String what) throws JsonFault {
        String text = scalarText();
        if (text == null) {
            throw JsonFault.of(what + " should be text, not " + describe());
        }
        return text;
    }

    /// A whole number; text with one in it counts.
    default long asWhole(String what) throws JsonFault {
        if (this instanceof Whole(long value)) {
            return value;
        }
        if (this instanceof Decimal(double value) && value == Math.rint(value) && Math.abs(value) < EXACT_DECIMALS) {
            return (long) value;
        }
        if (this instanceof Text(String value) && value.length() <= JsonReader.MAX_NUMBER_CHARS) {
            try {
                return Long.parseLong(value.strip());
            } catch (NumberFormatException e) {
                throw JsonFault.of(what + " should be a whole number, not " + describe());
            }
        }
        throw JsonFault.of(what + " should be a whole number, not " + describe());
    }

    /// A whole number of 32 bits.
    default int asInt(String what) throws JsonFault {
        long value = asWhole(what);
        if (value != (int) value) {
            throw JsonFault.of(what + " should be a number of 32 bits, not " + value);
        }
        return (int) value;
    }

    /// A truth value; 0, 1 and the text of each count.
    default boolean asFlag(String what) throws JsonFault {
        String text = scalarText();
        if ("true".equals(text) || "1".equals(text)) {
            return true;
        }
        if ("false".equals(text) || "0".equals(text)) {
            return false;
        }
        throw JsonFault.of(what + " should be true or false, not " + describe());
    }

    /// All items as text.
    default List<String> asTexts(String what) throws JsonFault {
        List<Json> items = asArray(what);
        List<String> texts = new ArrayList<>(items.size());
        for (Json item : items) {
            texts.add(item.asText(what));
        }
        return texts;
    }

    private @Nullable String scalarText() {
        if (this instanceof Text(String value)) {
            return value;
        }
        if (this instanceof Whole(long value)) {
            return Long.toString(value);
        }
        if (this instanceof Decimal(double value)) {
            return Double.toString(value);
        }
        if (this instanceof Bool) {
            return this == Bool.TRUE ? "true" : "false";
        }
        return null;
    }

    /// A short form for sentences.
    private String describe() {
        if (this instanceof JsonObject) {
            return "an object";
        }
        if (this instanceof Array) {
            return "an array";
        }
        String text = scalarText();
        return text == null ? "null" : JsonFault.quote(text);
    }
}
