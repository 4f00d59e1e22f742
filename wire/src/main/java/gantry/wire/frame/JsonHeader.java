package gantry.wire.frame;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Parses the JSON serialisation of a header.
///
/// ```
///   {"code":310,"extFields":{"a":"group","b":"topic",…},"flag":0,"language":"JAVA","opaque":7,"version":513}
/// ```
/// Strings are unescaped where they stand, which only makes them shorter, so that a name or value is a plain range of
/// UTF-8 bytes afterwards. Values that are numbers or booleans count as their text, nested ones as none.
///
/// For:   headers whose frame is marked `JSON`.
/// Owner: one `HeaderReader`; the array that it parses is changed.
/// Never: throws on any bytes; recurses; makes objects for a well-formed header.
final class JsonHeader {
    /// The mark that ends every scan of a string, and what the scan reads beyond it.
    static final int SPARE_BYTES = 1 + Scan.SPARE_BYTES;

    private static final FieldSet MEMBERS = FieldSet.of(
            FieldName.of("code"),
            FieldName.of("extFields"),
            FieldName.of("flag"),
            FieldName.of("language"),
            FieldName.of("opaque"),
            FieldName.of("remark"),
            FieldName.of("version"));
    private static final byte[] JAVA = "JAVA".getBytes(StandardCharsets.US_ASCII);

    /// Where the text of values stands that may differ in the next header.
    private final LastHeader last;

    private byte[] bytes = new byte[0];
    private int end;
    private int at;
    private @Nullable String fault;

    // The last name and the last value that were read.
    private int keyHash;
    private int keyFrom;
    private int keyLength;
    private int valueFrom;
    private int valueLength;

    JsonHeader(LastHeader last) {
        this.last = last;
    }

    /// @param array the header, from 0 to `length`, with room for `SPARE_BYTES` more
    /// @return what is wrong, or null
    @Nullable
    String parse(byte[] array, int length, ParsedHeader into) {
        bytes = array;
        end = length;
        at = 0;
        fault = null;
        // Ends every scan of a string without asking for the end at each byte.
        array[length] = '"';
        if (expect('{')) {
            members(into);
            skipBlanks();
            if (fault == null && at < end) {
                fail("nothing more");
            }
        }
        return fault;
    }

    private void members(ParsedHeader into) {
        if (isNext('}')) {
            return;
        }
        do {
            int known = last.count();
            if (!key()) {
                return;
            }
            int member = MEMBERS.slot(keyHash, bytes, keyFrom, keyLength);
            last.backTo(known);
            if (member == 1 && isNext('{')) {
                fields(into);
            } else if (value()) {
                last.backTo(known);
                take(member, into);
            }
            if (fault != null) {
                return;
            }
        } while (isNext(','));
        expect('}');
    }

    private void take(int member, ParsedHeader into) {
        switch (member) {
            case 0 -> into.code = number("code");
            case 1 -> {
                if (valueLength != FieldTable.NO_VALUE) {
                    fault = "extFields of the header is not an object";
                }
            }
            case 2 -> into.flags = number("flag");
            case 3 -> into.language = language();
            case 4 -> {
                into.correlationId = number("opaque");
                if (valueLength == FieldTable.NO_VALUE || bytes[valueFrom - 1] == '"') {
                    last.forget();
                } else {
                    last.correlation(valueFrom, valueFrom + valueLength);
                }
            }
            case 5 -> {
                into.remarkFrom = valueFrom;
                into.remarkLength = valueLength;
            }
            case 6 -> into.version = number("version");
            default -> {
                // Names that we do not know are nobody's fault.
            }
        }
    }

    /// The fields, behind the brace that opens them.
    private void fields(ParsedHeader into) {
        if (isNext('}')) {
            return;
        }
        do {
            if (plainField()) {
                last.stretch(valueFrom, valueFrom + valueLength, 0);
            } else if (!unusualField()) {
                return;
            }
            String tooMany = into.add(keyHash, keyFrom, keyLength, valueFrom, valueLength);
            if (tooMany != null) {
                fault = tooMany;
                return;
            }
        } while (isNext(','));
        expect('}');
    }

    /// A name and a value as nearly all are: `"name":"value"`, without blanks or escapes. If it is anything
    /// else, the position stays.
    private boolean plainField() {
        byte[] b = bytes;
        if (at >= end || b[at] != '"') {
            return false;
        }
        int from = at + 1;
        int hash = 0;
        int i = from;
        int each = b[i];
        while (each != '"' && each != '\\') {
            hash = 31 * hash + (each & 0xFF);
            each = b[++i];
        }
        int valueAt = i + 3;
        if (each != '"' || valueAt > end || b[i + 1] != ':' || b[i + 2] != '"') {
            return false;
        }
        int valueEnd = Scan.quoteOrBackslash(b, valueAt);
        if (valueEnd >= end || b[valueEnd] != '"') {
            return false;
        }
        keyHash = hash;
        keyFrom = from;
        keyLength = i - from;
        valueFrom = valueAt;
        valueLength = valueEnd - valueAt;
        at = valueEnd + 1;
        return true;
    }

    private boolean unusualField() {
        int known = last.count();
        if (!key()) {
            return false;
        }
        last.backTo(known);
        return value();
    }

    /// A name and the colon behind it.
    private boolean key() {
        if (!expect('"') || !string()) {
            return false;
        }
        keyFrom = valueFrom;
        keyLength = valueLength;
        keyHash = FieldName.hash(bytes, keyFrom, keyLength);
        return expect(':');
    }

    /// Any value; of a nested one or `null` the length is `NO_VALUE` afterwards.
    private boolean value() {
        skipBlanks();
        if (at >= end) {
            return fail("a value");
        }
        int first = bytes[at];
        if (first == '"') {
            at++;
            return string();
        }
        if (first == '{' || first == '[') {
            return skipNested();
        }
        int from = at;
        while (at < end && isWordByte(bytes[at])) {
            at++;
        }
        if (at == from) {
            return fail("a value");
        }
        valueFrom = from;
        valueLength = isNull(from, at - from) ? FieldTable.NO_VALUE : at - from;
        return true;
    }

    /// The rest of a string, behind the quote that opens it.
    private boolean string() {
        int from = at;
        int i = Scan.quoteOrBackslash(bytes, from);
        last.stretch(from, i, 0);
        return bytes[i] == '"' ? endString(from, i, i) : escapedString(from, i);
    }

    /// Goes on with a string whose first backslash is at `firstEscape`.
    private boolean escapedString(int from, int firstEscape) {
        byte[] b = bytes;
        int read = firstEscape;
        int write = firstEscape;
        while (b[read] != '"') {
            int used = JsonEscapes.undo(b, read, end, write);
            if (used == 0) {
                at = read;
                return fail("an escape");
            }
            write += used >>> JsonEscapes.WRITTEN_SHIFT;
            read += used & JsonEscapes.READ_MASK;
            int plainEnd = Scan.quoteOrBackslash(b, read);
            last.stretch(read, plainEnd, read - write);
            while (read < plainEnd) {
                b[write++] = b[read++];
            }
        }
        return endString(from, write, read);
    }

    private boolean endString(int from, int textEnd, int quote) {
        if (quote >= end) {
            at = end;
            return fail("the end of a string");
        }
        valueFrom = from;
        valueLength = textEnd - from;
        at = quote + 1;
        return true;
    }

    /// Steps over an object or an array, by counting what opens and closes outside strings.
    private boolean skipNested() {
        int depth = 0;
        while (at < end) {
            int each = bytes[at++];
            switch (each) {
                case '{', '[' -> depth++;
                case '}', ']' -> {
                    if (--depth == 0) {
                        valueLength = FieldTable.NO_VALUE;
                        return true;
                    }
                }
                case '"' -> {
                    if (!string()) {
                        return false;
                    }
                }
                default -> {
                    // Whatever is inside is not looked at.
                }
            }
        }
        return fail("the end of a nested value");
    }

    private int number(String member) {
        if (valueLength == FieldTable.NO_VALUE) {
            return 0;
        }
        long number = Digits.parse(bytes, valueFrom, valueLength);
        if (!Digits.isInt(number)) {
            fault = member + " of the header is not a number of 32 bits";
        }
        return (int) number;
    }

    private Language language() {
        if (valueLength == FieldTable.NO_VALUE) {
            return Language.OTHER;
        }
        int from = valueFrom;
        byte[] b = bytes;
        if (valueLength == JAVA.length
                && b[from] == 'J'
                && b[from + 1] == 'A'
                && b[from + 2] == 'V'
                && b[from + 3] == 'A') {
            return Language.JAVA;
        }
        long number = Digits.parse(b, from, valueLength);
        return number == Digits.NOT_A_NUMBER ? Language.of(b, from, valueLength) : Language.of((int) number);
    }

    private boolean isNull(int from, int length) {
        byte[] b = bytes;
        return length == 4 && b[from] == 'n' && b[from + 1] == 'u' && b[from + 2] == 'l' && b[from + 3] == 'l';
    }

    /// Of numbers, `true`, `false` and `null`.
    private static boolean isWordByte(int b) {
        return (b >= '0' && b <= '9') || (b >= 'a' && b <= 'z') || b == '-' || b == '+' || b == '.' || b == 'E';
    }

    private void skipBlanks() {
        while (at < end && isBlank(bytes[at])) {
            at++;
        }
    }

    private static boolean isBlank(int b) {
        return b == ' ' || b == '\n' || b == '\r' || b == '\t';
    }

    /// Steps over `wanted` and the blanks before it, if it is next.
    private boolean isNext(int wanted) {
        if (at < end && bytes[at] == wanted) {
            at++;
            return true;
        }
        skipBlanks();
        if (at < end && bytes[at] == wanted) {
            at++;
            return true;
        }
        return false;
    }

    private boolean expect(char wanted) {
        return isNext(wanted) || fail("'" + wanted + "'");
    }

    private boolean fail(String wanted) {
        fault = "the header is not JSON: " + wanted + " is missing at byte " + at;
        return false;
    }
}
