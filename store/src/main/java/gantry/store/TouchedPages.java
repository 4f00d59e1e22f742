package gantry.store;

/// Touches the mapped pages of records that mostly follow each other, each page once.
///
/// For:   walking through small records: to look at both ends of each costs two trips to the memory a message.
/// Owner: one walk, and no longer than that: a page may leave the memory again.
final class TouchedPages {
    private long base = -1;
    private int from;
    private int to;

    /// Whether every page of these bytes of a file could be read, now or earlier in this walk.
    boolean areThere(Segment in, int at, int size) {
        boolean goesOn = in.base() == base && at >= from && at <= to;
        int begin = goesOn ? to : at;
        int end = at + size;
        if (begin < end) {
            if (!Mapped.isThere(in.bytes(), begin, end - begin)) {
                base = -1;
                return false;
            }
            from = goesOn ? from : at;
            to = Mapped.endOfPage(end - 1);
            base = in.base();
        }
        return true;
    }
}
