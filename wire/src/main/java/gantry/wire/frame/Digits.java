package gantry.wire.frame;

/// Decimal numbers as ASCII bytes.
///
/// For:   reading and writing numbers without strings.
/// Owner: none (stateless).
/// Never: throws on any bytes.
final class Digits {
    /// What `parse` gives for anything that is no number of 64 bits; the one number that it cannot tell from
    /// that is refused too.
    static final long NOT_A_NUMBER = Long.MIN_VALUE;

    static final int MAX_CHARS = 20;

    private static final int MAX_DIGITS = 19;

    private Digits() {}

    /// The number that these bytes are, with an optional sign, or `NOT_A_NUMBER`.
    static long parse(byte[] bytes, int from, int length) {
        int at = from;
        int end = from + length;
        boolean negative = false;
        if (length > 0 && (bytes[at] == '-' || bytes[at] == '+')) {
            negative = bytes[at] == '-';
            at++;
        }
        while (end - at > 1 && bytes[at] == '0') {
            at++;
        }
        if (at == end || end - at > MAX_DIGITS) {
            return NOT_A_NUMBER;
        }
        long value = 0;
        for (int i = at; i < end; i++) {
            int digit = bytes[i] - '0';
            if (digit < 0 || digit > 9) {
                return NOT_A_NUMBER;
            }
            value = value * 10 + digit;
        }
        // 19 digits can pass 2^63, and then the sign bit is set: 19 nines are below 2^64.
        if (value < 0) {
            return NOT_A_NUMBER;
        }
        return negative ? -value : value;
    }

    static boolean isInt(long number) {
        return number == (int) number;
    }

    /// Writes the number; `into` has room for `MAX_CHARS`.
    ///
    /// @return the index behind the last digit
    static int write(long number, byte[] into, int at) {
        if (number == Long.MIN_VALUE) {
            int split = write(number / 10, into, at);
            into[split] = '8';
            return split + 1;
        }
        int from = at;
        long rest = number;
        if (rest < 0) {
            into[from++] = '-';
            rest = -rest;
        }
        int end = from + count(rest);
        int i = end;
        while (rest > Integer.MAX_VALUE) {
            long quotient = rest / 10;
            into[--i] = (byte) ('0' + (rest - quotient * 10));
            rest = quotient;
        }
        int small = (int) rest;
        do {
            int quotient = small / 10;
            into[--i] = (byte) ('0' + (small - quotient * 10));
            small = quotient;
        } while (small != 0);
        return end;
    }

    private static int count(long positive) {
        int digits = 1;
        long bound = 10;
        while (digits < MAX_DIGITS && positive >= bound) {
            digits++;
            bound *= 10;
        }
        return digits;
    }
}
