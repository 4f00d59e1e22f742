package gantry.store;

/// Names of files that are called after the offset at which they start.
///
/// For:   20 decimal digits, as RocketMQ writes them.
/// Owner: none (stateless).
final class Names {
    private static final int DIGITS = 20;

    private Names() {}

    static String ofOffset(long offset) {
        String digits = Long.toString(offset);
        return "0".repeat(DIGITS - digits.length()) + digits;
    }

    /// @return -1 when it is not such a name
    static long offsetOf(String name) {
        if (name.length() != DIGITS) {
            return -1;
        }
        long offset = 0;
        for (int i = 0; i < DIGITS; i++) {
            int digit = name.charAt(i) - '0';
            if (digit < 0 || digit > 9 || offset > (Long.MAX_VALUE - digit) / 10) {
                return -1;
            }
            offset = offset * 10 + digit;
        }
        return offset;
    }
}
