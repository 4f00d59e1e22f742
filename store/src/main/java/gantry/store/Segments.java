package gantry.store;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The files of the commit log, oldest first, without a gap.
///
/// For:   finding the file of a log offset.
/// Owner: none (immutable); the shelf publishes a new one when a segment comes or goes.
final class Segments {
    static final String FOLDER = "commitlog";

    private final long segmentBytes;
    private final List<Segment> all;

    Segments(long segmentBytes, List<Segment> all) {
        this.segmentBytes = segmentBytes;
        this.all = List.copyOf(all);
    }

    static FileId fileAt(long base) {
        return new FileId(FOLDER + "/" + Names.ofOffset(base));
    }

    /// The length of each.
    long segmentBytes() {
        return segmentBytes;
    }

    Segments with(Segment newest) {
        List<Segment> more = new ArrayList<>(all.size() + 1);
        more.addAll(all);
        more.add(newest);
        return new Segments(segmentBytes, more);
    }

    @Nullable
    Segment find(long logOffset) {
        if (all.isEmpty() || logOffset < minOffset()) {
            return null;
        }
        long index = (logOffset - minOffset()) / segmentBytes;
        return index < all.size() ? all.get((int) index) : null;
    }

    /// Those with bytes between `from` and `to`.
    List<Segment> between(long from, long to) {
        List<Segment> touched = new ArrayList<>(2);
        for (Segment segment : all) {
            if (segment.base() < to && segment.base() + segmentBytes > from) {
                touched.add(segment);
            }
        }
        return touched;
    }

    List<Segment> all() {
        return all;
    }

    Segment last() {
        return all.get(all.size() - 1);
    }

    long minOffset() {
        return all.get(0).base();
    }

    /// Where the next segment would start.
    long endOffset() {
        return last().base() + segmentBytes;
    }
}
