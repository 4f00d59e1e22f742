package gantry.store;

import java.util.Arrays;

/// A set of tag codes.
///
/// For:   filtering queue entries by tag without reading their records.
/// Owner: none (immutable).
public final class TagCodes {
    /// Wants everything.
    public static final TagCodes ANY = new TagCodes(new long[0]);

    private final long[] sorted;

    private TagCodes(long[] sorted) {
        this.sorted = sorted;
    }

    /// Wants exactly these; with none, everything.
    public static TagCodes of(long... codes) {
        if (codes.length == 0) {
            return ANY;
        }
        long[] copy = codes.clone();
        Arrays.sort(copy);
        return new TagCodes(copy);
    }

    public boolean wants(long tagsCode) {
        return sorted.length == 0 || Arrays.binarySearch(sorted, tagsCode) >= 0;
    }
}
