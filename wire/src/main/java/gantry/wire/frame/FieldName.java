package gantry.wire.frame;

import java.nio.charset.StandardCharsets;

/// A name on the wire, of a header field or a message property, with its bytes and hash at hand.
///
/// For:   finding and writing fields without making strings.
/// Owner: none (immutable).
/// Never: non-ASCII names.
public final class FieldName {
    private final String text;
    private final byte[] ascii;
    private final byte[] jsonKey;
    private final int hash;

    private FieldName(String text) {
        this.text = text;
        this.ascii = text.getBytes(StandardCharsets.US_ASCII);
        this.jsonKey = ("\"" + text + "\":\"").getBytes(StandardCharsets.US_ASCII);
        this.hash = hash(ascii, 0, ascii.length);
    }

    /// @throws IllegalArgumentException when it is empty or not plain ASCII
    public static FieldName of(String ascii) {
        boolean plain = !ascii.isEmpty() && ascii.chars().allMatch(c -> c > 0x20 && c < 0x7F && c != '"' && c != '\\');
        if (!plain) {
            throw new IllegalArgumentException("\"" + ascii + "\" cannot be a name on the wire");
        }
        return new FieldName(ascii);
    }

    public String text() {
        return text;
    }

    /// The name's bytes; shared, never to be changed.
    public byte[] ascii() {
        return ascii;
    }

    /// The name as a JSON key, with the quote that opens its value: `"name":"`.
    byte[] jsonKey() {
        return jsonKey;
    }

    /// Whether these bytes are this name.
    public boolean matches(byte[] bytes, int from, int length) {
        byte[] mine = ascii;
        if (length != mine.length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (bytes[from + i] != mine[i]) {
                return false;
            }
        }
        return true;
    }

    /// Equal to `hash` of the name's bytes.
    @Override
    public int hashCode() {
        return hash;
    }

    /// The hash by which names are told apart before their bytes are compared; for ASCII that of the string.
    public static int hash(byte[] bytes, int from, int length) {
        int hash = 0;
        for (int i = from; i < from + length; i++) {
            hash = 31 * hash + (bytes[i] & 0xFF);
        }
        return hash;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof FieldName name && name.text.equals(text);
    }

    @Override
    public String toString() {
        return text;
    }
}
