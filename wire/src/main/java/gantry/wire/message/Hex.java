package gantry.wire.message;

/// Upper-case hex digits as ASCII bytes.
///
/// For:   the text of message ids.
/// Owner: none (stateless).
/// Never: throws on any text.
final class Hex {
    private static final byte[] DIGITS = {'0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'A', 'B', 'C', 'D', 'E', 'F'
    };

    private Hex() {}

    /// Writes the lowest `count` bytes of `bits`, the highest of them first, and returns the index behind them.
    static int write(long bits, int count, byte[] into, int at) {
        int end = at + 2 * count;
        long rest = bits;
        for (int i = end - 1; i >= at; i--) {
            into[i] = DIGITS[(int) (rest & 0xF)];
            rest >>>= 4;
        }
        return end;
    }

    static int write(byte[] bytes, byte[] into, int at) {
        int next = at;
        for (byte b : bytes) {
            next = write(b, 1, into, next);
        }
        return next;
    }

    static boolean isHex(String text) {
        return text.chars().allMatch(c -> c < 0x80 && Character.digit(c, 16) >= 0);
    }

    /// The bytes from `from` to `to` of a text that is hex.
    static long parse(String hex, int from, int to) {
        return Long.parseUnsignedLong(hex, from, to, 16);
    }
}
