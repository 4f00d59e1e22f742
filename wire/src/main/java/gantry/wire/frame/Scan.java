package gantry.wire.frame;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// Looks for bytes, eight at a time.
///
/// For:   finding the end of a JSON string.
/// Owner: none (stateless).
/// Never: knows where the bytes end; something it looks for must stand there.
final class Scan {
    /// So many bytes of the array must follow the last that can be what is looked for.
    static final int SPARE_BYTES = Long.BYTES - 1;

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long EACH = 0x0101010101010101L;
    private static final long HIGHEST_OF_EACH = 0x8080808080808080L;
    private static final long QUOTES = EACH * '"';
    private static final long BACKSLASHES = EACH * '\\';

    private Scan() {}

    /// The index of the first quote or backslash at or behind `from`.
    static int quoteOrBackslash(byte[] bytes, int from) {
        int at = from;
        while (true) {
            long word = (long) LONG.get(bytes, at);
            long hits = zeros(word ^ QUOTES) | zeros(word ^ BACKSLASHES);
            if (hits != 0) {
                return at + (Long.numberOfTrailingZeros(hits) >>> 3);
            }
            at += Long.BYTES;
        }
    }

    /// The highest bit of each byte that is zero; those above the lowest such byte may be wrong.
    private static long zeros(long word) {
        return (word - EACH) & ~word & HIGHEST_OF_EACH;
    }
}
