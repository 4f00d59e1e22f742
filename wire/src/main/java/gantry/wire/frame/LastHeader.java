package gantry.wire.frame;

import java.util.Arrays;

/// The JSON header that was parsed last, as it arrived, and the bytes in it that mean nothing but themselves.
///
/// Requests of one peer are alike: the same names and lengths, another queue, time, key and number. Such a one is not
/// parsed again. Bytes of a *stretch* are neither quote nor backslash, before and after, so that whatever they are,
/// everything else stands where it stood; they are written to where the parser would have put them.
/// ```
///   arrived    {"code":310,"extFields":{"a":"group","i":"KEY\u0001AB12\u0002"},"flag":0,"opaque":17}
///   stretches                            ─────        ───      ────                              ──
/// ```
/// For:   headers that differ from the one before in a few bytes, at a tenth of what parsing costs.
/// Owner: one `HeaderReader`.
/// Never: guesses: a difference anywhere else, or too many, and the header is parsed.
final class LastHeader {
    /// Longer ones are always parsed, so that a session keeps little.
    static final int MOST_BYTES = 4096;

    /// A header with more is parsed.
    static final int MOST_STRETCHES = 64;

    /// More differing bytes than this, and parsing is as quick.
    static final int MOST_CHANGED = 64;

    private static final int WORDS = 3;
    private static final int FROM = 0;
    private static final int END = 1;
    private static final int BACK = 2;
    private static final int NOWHERE = -1;
    private static final int FIRST_STRETCHES = 16;

    private byte[] bytes = new byte[0];
    private int length;
    private boolean usable;
    private int[] stretches = new int[FIRST_STRETCHES * WORDS];
    private int count;
    private int correlationAt = NOWHERE;

    /// The next header is of another kind, malformed or too long.
    void forget() {
        usable = false;
    }

    /// Takes in what is going to be parsed.
    void begin(byte[] arrived, int arrivedLength) {
        usable = arrivedLength <= MOST_BYTES;
        count = 0;
        correlationAt = NOWHERE;
        if (!usable) {
            return;
        }
        if (bytes.length < arrivedLength) {
            bytes = new byte[Math.max(arrivedLength, arrived.length)];
        }
        System.arraycopy(arrived, 0, bytes, 0, arrivedLength);
        length = arrivedLength;
    }

    /// For `backTo`: how many stretches there are.
    int count() {
        return count;
    }

    /// Forgets the stretches beyond the first `known`: of names, and of values that are more than bytes.
    void backTo(int known) {
        count = known;
    }

    /// Bytes that arrived at `from` up to `end`, of a string's text; the parser has put them `back` bytes further to
    /// the front, because escapes have become shorter.
    void stretch(int from, int end, int back) {
        if (from == end) {
            return;
        }
        if (count == MOST_STRETCHES) {
            usable = false;
            return;
        }
        int at = count * WORDS;
        if (at == stretches.length) {
            stretches = Arrays.copyOf(stretches, stretches.length * 2);
        }
        stretches[at + FROM] = from;
        stretches[at + END] = end;
        stretches[at + BACK] = back;
        count++;
    }

    /// The digits of the number that tells a request's answer. A header that has two of them is never like another.
    void correlation(int from, int end) {
        usable &= correlationAt == NOWHERE;
        correlationAt = count;
        stretch(from, end, 0);
    }

    /// Makes of the parsed last header the parsed header that has arrived, if it differs in stretches alone.
    ///
    /// @param parsed what the last header was parsed to, and `text` where its names and values stand
    /// @return false when it has to be parsed; `parsed` and `text` are then of neither
    boolean becomes(byte[] arrived, int arrivedLength, ParsedHeader parsed, byte[] text) {
        if (!usable || arrivedLength != length) {
            return false;
        }
        int changed = 0;
        int next = 0;
        int at = Arrays.mismatch(bytes, 0, length, arrived, 0, length);
        while (at >= 0) {
            while (next < count && stretches[next * WORDS + END] <= at) {
                next++;
            }
            if (next == count || at < stretches[next * WORDS + FROM]) {
                return false;
            }
            int end = stretches[next * WORDS + END];
            int back = stretches[next * WORDS + BACK];
            boolean digits = next == correlationAt;
            do {
                byte each = arrived[at];
                if (++changed > MOST_CHANGED || (digits ? each < '0' || each > '9' : each == '"' || each == '\\')) {
                    return false;
                }
                bytes[at] = each;
                text[at - back] = each;
                at++;
            } while (at < end && arrived[at] != bytes[at]);
            int more = Arrays.mismatch(bytes, at, length, arrived, at, length);
            at = more < 0 ? more : at + more;
        }
        return correlationAt == NOWHERE || renumber(parsed, text);
    }

    private boolean renumber(ParsedHeader parsed, byte[] text) {
        int from = stretches[correlationAt * WORDS + FROM];
        long number = Digits.parse(text, from, stretches[correlationAt * WORDS + END] - from);
        parsed.correlationId = (int) number;
        return Digits.isInt(number);
    }
}
