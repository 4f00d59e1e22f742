package gantry.store;

import java.nio.ByteBuffer;

/// Touches mapped bytes before somebody relies on them.
///
/// For:   a page that the disk cannot give is a value here. Anywhere else it is an error of the virtual
///        machine, or, in a checksum or a system call, something worse.
/// Owner: none (stateless).
/// Never: a promise for later: a page may leave the memory again.
final class Mapped {
    private static final int PAGE_BYTES = 4096;

    private Mapped() {}

    /// The first byte behind the page that holds a byte of a mapped file.
    static int endOfPage(int at) {
        return (at | PAGE_BYTES - 1) + 1;
    }

    /// Whether every page of these bytes can be read.
    static boolean isThere(ByteBuffer bytes, int at, int size) {
        try {
            int seen = bytes.get(at + size - 1);
            for (int place = at; place < at + size; place += PAGE_BYTES) {
                seen |= bytes.get(place);
            }
            // Always true, which the compiler does not see: the reads stay.
            return seen != Integer.MIN_VALUE;
        } catch (InternalError e) {
            return false;
        }
    }
}
