package gantry.wire.json;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads one JSON value of the peers' dialect out of bytes.
///
/// For:   keys quoted with either quote, bare words, bare numbers, or whole objects; whitespace anywhere.
/// Owner: whoever made it; used once.
/// Never: throws anything but `JsonFault`, whatever the bytes are.
/// Holds: JSON-1 depth, number of values and length of a number are bounded, so a text can cost at most memory in
///        proportion to its size.
final class JsonReader {
    /// How deep values may be nested; the deepest body of any peer has 8 levels.
    static final int MAX_DEPTH = 64;

    /// How many values and keys one text may have: a broker with 90 000 topics.
    static final int MAX_VALUES = 2_000_000;

    static final int MAX_NUMBER_CHARS = 64;

    /// Slots of the memory for keys; peers repeat the same dozen names thousands of times.
    private static final int KEY_SLOTS = 128;

    private static final int MAX_REMEMBERED_KEY_BYTES = 40;

    private static final class KnownKey {
        final byte[] raw;
        final Json.Text json;

        KnownKey(byte[] raw, Json.Text json) {
            this.raw = raw;
            this.json = json;
        }
    }

    private final byte[] bytes;
    private final int start;
    private final int end;
    private final @Nullable KnownKey[] remembered = new @Nullable KnownKey[KEY_SLOTS];
    private int at;
    private int depth;
    private int values;

    JsonReader(byte[] bytes, int offset, int length) {
        this.bytes = bytes;
        this.start = offset;
        this.at = offset;
        this.end = offset + length;
    }

    Json readAll() throws JsonFault {
        Json value = value();
        skipSpace();
        if (at < end) {
            throw fault("there is something behind the value");
        }
        return value;
    }

    private Json value() throws JsonFault {
        skipSpace();
        count();
        if (at >= end) {
            throw fault("the text ends where a value should be");
        }
        byte b = bytes[at];
        return switch (b) {
            case '{' -> object();
            case '[' -> array();
            case '"', '\'' -> new Json.Text(quoted());
            default -> isNumberByte(b) ? number() : word();
        };
    }

    private Json object() throws JsonFault {
        descend();
        at++;
        Json[] flat = new Json[8];
        int used = 0;
        skipSpace();
        while (!taken('}')) {
            if (used > 0) {
                expect(',', "a comma or the end of the object");
            }
            Json key = key();
            expect(':', "a colon");
            Json value = value();
            if (used == flat.length) {
                flat = Arrays.copyOf(flat, used * 2);
            }
            flat[used++] = key;
            flat[used++] = value;
            skipSpace();
        }
        depth--;
        return used == 0 ? JsonObject.EMPTY : new JsonObject(used == flat.length ? flat : Arrays.copyOf(flat, used));
    }

    private Json array() throws JsonFault {
        descend();
        at++;
        List<Json> items = new ArrayList<>();
        skipSpace();
        while (!taken(']')) {
            if (!items.isEmpty()) {
                expect(',', "a comma or the end of the array");
            }
            items.add(value());
            skipSpace();
        }
        depth--;
        return items.isEmpty() ? Json.Array.EMPTY : new Json.Array(items);
    }

    private Json key() throws JsonFault {
        skipSpace();
        count();
        if (at >= end) {
            throw fault("the text ends where a key should be");
        }
        byte b = bytes[at];
        if (b == '"' || b == '\'') {
            return quotedKey();
        }
        if (b == '{') {
            return object();
        }
        if (isNumberByte(b)) {
            return number();
        }
        if (isWordByte(b)) {
            int from = at;
            skipWord();
            return remember(from, at);
        }
        throw fault("a key cannot start with " + show(b));
    }

    private Json.Text quotedKey() throws JsonFault {
        byte quote = bytes[at];
        int from = at + 1;
        int to = from;
        while (to < end && bytes[to] != quote && bytes[to] != '\\') {
            to++;
        }
        if (to < end && bytes[to] == quote) {
            at = to + 1;
            return remember(from, to);
        }
        return new Json.Text(quoted());
    }

    private Json.Text remember(int from, int to) {
        int length = to - from;
        if (length > MAX_REMEMBERED_KEY_BYTES) {
            return new Json.Text(utf8(from, to));
        }
        int hash = length;
        for (int i = from; i < to; i++) {
            hash = 31 * hash + bytes[i];
        }
        int slot = hash & KEY_SLOTS - 1;
        KnownKey known = remembered[slot];
        if (known != null && Arrays.equals(known.raw, 0, known.raw.length, bytes, from, to)) {
            return known.json;
        }
        Json.Text fresh = new Json.Text(utf8(from, to));
        remembered[slot] = new KnownKey(Arrays.copyOfRange(bytes, from, to), fresh);
        return fresh;
    }

    private String quoted() throws JsonFault {
        byte quote = bytes[at++];
        int from = at;
        while (at < end && bytes[at] != quote && bytes[at] != '\\') {
            at++;
        }
        if (at < end && bytes[at] == quote) {
            return utf8(from, at++);
        }
        StringBuilder text = new StringBuilder();
        while (at < end && bytes[at] != quote) {
            if (bytes[at] == '\\') {
                text.append(utf8(from, at));
                escape(text);
                from = at;
            } else {
                at++;
            }
        }
        if (at >= end) {
            throw fault("the text ends inside quotes");
        }
        return text.append(utf8(from, at++)).toString();
    }

    private void escape(StringBuilder text) throws JsonFault {
        at++;
        if (at >= end) {
            throw fault("the text ends inside an escape");
        }
        byte b = bytes[at++];
        switch (b) {
            case '"', '\'', '\\', '/' -> text.append((char) b);
            case 'b' -> text.append('\b');
            case 'f' -> text.append('\f');
            case 'n' -> text.append('\n');
            case 'r' -> text.append('\r');
            case 't' -> text.append('\t');
            case 'v' -> text.append('\u000B');
            case '0' -> text.append('\0');
            case 'x' -> text.append((char) hex(2));
            case 'u' -> text.append((char) hex(4));
            default -> throw fault("no escape is written with " + show(b));
        }
    }

    private int hex(int digits) throws JsonFault {
        int value = 0;
        for (int i = 0; i < digits; i++) {
            int digit = at < end ? Character.digit(bytes[at], 16) : -1;
            if (digit < 0) {
                throw fault("an escape needs " + digits + " hexadecimal digits");
            }
            value = value << 4 | digit;
            at++;
        }
        return value;
    }

    private Json number() throws JsonFault {
        int from = at;
        boolean whole = true;
        while (at < end && (isNumberByte(bytes[at]) || isExponent(bytes[at]))) {
            whole &= bytes[at] != '.' && !isExponent(bytes[at]);
            at++;
        }
        if (at - from > MAX_NUMBER_CHARS) {
            throw fault("a number has more than " + MAX_NUMBER_CHARS + " characters");
        }
        String text = new String(bytes, from, at - from, StandardCharsets.ISO_8859_1);
        try {
            return whole ? wholeNumber(text) : new Json.Decimal(Double.parseDouble(text));
        } catch (NumberFormatException e) {
            throw fault(JsonFault.quote(text) + " is not a number");
        }
    }

    private static Json wholeNumber(String text) {
        // At most 18 digits and a sign always fit; what may not fit is tried, and becomes a decimal.
        if (text.length() <= 18) {
            return new Json.Whole(Long.parseLong(text));
        }
        double rough = Double.parseDouble(text);
        if (Math.abs(rough) > 0x1p63) {
            return new Json.Decimal(rough);
        }
        try {
            return new Json.Whole(Long.parseLong(text));
        } catch (NumberFormatException e) {
            return new Json.Decimal(rough);
        }
    }

    private Json word() throws JsonFault {
        int from = at;
        skipWord();
        String text = utf8(from, Math.min(at, from + MAX_NUMBER_CHARS));
        return switch (text) {
            case "true" -> Json.Bool.TRUE;
            case "false" -> Json.Bool.FALSE;
            case "null" -> Json.Null.NULL;
            case "" -> throw fault("a value cannot start with " + show(bytes[at]));
            default -> throw fault(JsonFault.quote(text) + " is not a value");
        };
    }

    private void skipWord() {
        while (at < end && (isWordByte(bytes[at]) || isDigit(bytes[at]))) {
            at++;
        }
    }

    private void skipSpace() {
        while (at < end && isSpace(bytes[at])) {
            at++;
        }
    }

    private void expect(char wanted, String what) throws JsonFault {
        skipSpace();
        if (!taken(wanted)) {
            throw fault(at >= end ? "the text ends where " + what + " should be" : what + " should be here");
        }
    }

    private boolean taken(char wanted) {
        if (at < end && bytes[at] == wanted) {
            at++;
            return true;
        }
        return false;
    }

    private void descend() throws JsonFault {
        if (++depth > MAX_DEPTH) {
            throw fault("values are nested deeper than " + MAX_DEPTH);
        }
    }

    private void count() throws JsonFault {
        if (++values > MAX_VALUES) {
            throw fault("there are more than " + MAX_VALUES + " values");
        }
    }

    private String utf8(int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.UTF_8);
    }

    private JsonFault fault(String sentence) {
        return new JsonFault(sentence, at - start);
    }

    private static String show(byte b) {
        return b > ' ' && b < 0x7F ? "'" + (char) b + "'" : "byte " + (b & 0xFF);
    }

    private static boolean isSpace(byte b) {
        return b == ' ' || b == '\n' || b == '\r' || b == '\t' || b == '\f' || b == '\b';
    }

    private static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }

    private static boolean isNumberByte(byte b) {
        return isDigit(b) || b == '-' || b == '+' || b == '.';
    }

    private static boolean isExponent(byte b) {
        return b == 'e' || b == 'E';
    }

    private static boolean isWordByte(byte b) {
        return (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z') || b == '_' || b == '$' || b < 0;
    }
}
