package gantry.wire.frame;

/// Escapes of JSON strings, from and to UTF-8 bytes.
///
/// For:   undoing one escape where it stands, and knowing what has to be escaped.
/// Owner: none (stateless).
/// Never: throws on any bytes; writes more bytes than the escape had.
final class JsonEscapes {
    /// The result of `undo` has the number of bytes written above this bit and the number of bytes read below it.
    static final int WRITTEN_SHIFT = 8;

    static final int READ_MASK = (1 << WRITTEN_SHIFT) - 1;

    private static final int UNICODE_ESCAPE_BYTES = 6;

    private JsonEscapes() {}

    /// Writes what the escape at `read` stands for to `write`, which is not behind it.
    ///
    /// @return how many bytes were written and read, 0 when it is no escape
    static int undo(byte[] b, int read, int end, int write) {
        if (end - read < 2) {
            return 0;
        }
        int kind = b[read + 1];
        if (kind == 'u') {
            return undoUnicode(b, read, end, write);
        }
        int plain = plain(kind);
        if (plain < 0) {
            return 0;
        }
        b[write] = (byte) plain;
        return result(1, 2);
    }

    private static int plain(int kind) {
        return switch (kind) {
            case '"', '\\', '/', '\'' -> kind;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            default -> -1;
        };
    }

    private static int undoUnicode(byte[] b, int read, int end, int write) {
        int unit = unit(b, read, end);
        if (unit < 0) {
            return 0;
        }
        if (unit < 0x80) {
            b[write] = (byte) unit;
            return result(1, UNICODE_ESCAPE_BYTES);
        }
        if (unit < 0x800) {
            b[write] = (byte) (0xC0 | (unit >>> 6));
            b[write + 1] = (byte) (0x80 | (unit & 0x3F));
            return result(2, UNICODE_ESCAPE_BYTES);
        }
        if (!Character.isSurrogate((char) unit)) {
            b[write] = (byte) (0xE0 | (unit >>> 12));
            b[write + 1] = (byte) (0x80 | ((unit >>> 6) & 0x3F));
            b[write + 2] = (byte) (0x80 | (unit & 0x3F));
            return result(3, UNICODE_ESCAPE_BYTES);
        }
        int low = Character.isHighSurrogate((char) unit) ? unit(b, read + UNICODE_ESCAPE_BYTES, end) : -1;
        if (low < 0 || !Character.isLowSurrogate((char) low)) {
            // Half of a pair has no bytes in UTF-8.
            b[write] = '?';
            return result(1, UNICODE_ESCAPE_BYTES);
        }
        int point = Character.toCodePoint((char) unit, (char) low);
        b[write] = (byte) (0xF0 | (point >>> 18));
        b[write + 1] = (byte) (0x80 | ((point >>> 12) & 0x3F));
        b[write + 2] = (byte) (0x80 | ((point >>> 6) & 0x3F));
        b[write + 3] = (byte) (0x80 | (point & 0x3F));
        return result(4, 2 * UNICODE_ESCAPE_BYTES);
    }

    /// The sixteen bits of the `\\uXXXX` at `at`, -1 when there is none.
    private static int unit(byte[] b, int at, int end) {
        if (end - at < UNICODE_ESCAPE_BYTES || b[at] != '\\' || b[at + 1] != 'u') {
            return -1;
        }
        int unit = 0;
        for (int i = at + 2; i < at + UNICODE_ESCAPE_BYTES; i++) {
            int digit = hex(b[i]);
            if (digit < 0) {
                return -1;
            }
            unit = (unit << 4) | digit;
        }
        return unit;
    }

    private static int hex(int b) {
        if (b >= '0' && b <= '9') {
            return b - '0';
        }
        int lower = b | 0x20;
        return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
    }

    private static int result(int written, int read) {
        return (written << WRITTEN_SHIFT) | read;
    }

    static boolean needsEscape(int b) {
        return (b >= 0 && b < 0x20) || b == '"' || b == '\\';
    }

    /// Writes the escape of a byte that needs one, 6 bytes at most, and returns the index behind it.
    static int write(int b, byte[] into, int at) {
        into[at] = '\\';
        int letter = switch (b) {
            case '"', '\\' -> b;
            case '\b' -> 'b';
            case '\f' -> 'f';
            case '\n' -> 'n';
            case '\r' -> 'r';
            case '\t' -> 't';
            default -> 'u';
        };
        into[at + 1] = (byte) letter;
        if (letter != 'u') {
            return at + 2;
        }
        into[at + 2] = '0';
        into[at + 3] = '0';
        into[at + 4] = (byte) ('0' + (b >>> 4));
        into[at + 5] = (byte) ((b & 0xF) < 10 ? '0' + (b & 0xF) : 'a' + (b & 0xF) - 10);
        return at + UNICODE_ESCAPE_BYTES;
    }
}
