package gantry.broker.legacy;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// What a RocketMQ slave says on the replication port: where its log ends, again and again.
///
/// ```
///   0             8             16
///   │ log offset  │ log offset  │ …       the first: where to begin; 0 is an empty log
/// ```
/// For:   taking reports in pieces of any size, from somebody who may be anybody.
/// Owner: whoever owns the link; one for each.
/// Never: believes a report that cannot be.
/// Holds: REPORT-1 a report never goes back, is where it was begun or where a frame ended that was sent, and no other
///        number leaves this class. RocketMQ's slaves write a frame whole or not at all.
final class SlaveReports {
    private static final int BYTES = Long.BYTES;

    private final ByteBuffer begun = ByteBuffer.allocate(BYTES);

    /// Of frames that are not reported yet; the window bounds how many.
    private final ArrayDeque<Long> frameEnds = new ArrayDeque<>();

    private long asked = -1;
    private long start;
    private long held;

    /// @param begin of our log
    /// @param end   up to where it is confirmed: nobody has been sent more
    /// @return what is wrong; then nothing more is to be taken
    @Nullable
    LegacyFault feed(ByteBuffer bytes, int at, int length, long begin, long end) {
        for (int from = at; from < at + length; ) {
            int take = Math.min(begun.remaining(), at + length - from);
            begun.put(begun.position(), bytes, from, take).position(begun.position() + take);
            from += take;
            if (!begun.hasRemaining()) {
                begun.clear();
                long offset = begun.getLong(0);
                // Two at once, before anything was sent: the second can say no more than the first.
                LegacyFault fault = isBegun() ? next(offset) : first(offset, begin, end);
                if (fault != null) {
                    return fault;
                }
            }
        }
        return null;
    }

    /// A frame was sent that ends there.
    void sent(long frameEnd) {
        frameEnds.add(frameEnd);
    }

    /// Up to where it has been sent.
    long sent() {
        return frameEnds.isEmpty() ? held : frameEnds.getLast();
    }

    private @Nullable LegacyFault first(long offset, long begin, long end) {
        if (offset < 0) {
            return new LegacyFault(LegacyCause.FALSE_REPORT, "it begins with log offset " + offset);
        }
        if (offset > end) {
            return new LegacyFault(
                    LegacyCause.SLAVE_AHEAD, "its log ends at " + offset + ", ours is confirmed up to " + end);
        }
        if (offset > 0 && offset < begin) {
            return new LegacyFault(LegacyCause.SLAVE_BEHIND, "its log ends at " + offset + ", ours begins at " + begin);
        }
        asked = offset;
        start = offset == 0 ? begin : offset;
        held = start;
        return null;
    }

    private @Nullable LegacyFault next(long offset) {
        // An empty log that is given one which begins later says 0 until something has come.
        boolean stillEmpty = offset == 0 && asked == 0 && held == start;
        if (stillEmpty) {
            return null;
        }
        if (offset < held || offset > sent()) {
            return new LegacyFault(
                    LegacyCause.FALSE_REPORT,
                    "it reports log offset " + offset + " after " + held + ", and was sent up to " + sent());
        }
        long end = held;
        while (end < offset) {
            end = frameEnds.remove();
        }
        if (end != offset) {
            return new LegacyFault(
                    LegacyCause.FALSE_REPORT,
                    "it reports log offset " + offset + ", in the middle of what it was sent whole, up to " + end);
        }
        held = offset;
        return null;
    }

    boolean isBegun() {
        return asked >= 0;
    }

    /// Where what it is sent begins: where its log ends, or our log's begin if it has none.
    long start() {
        return start;
    }

    /// Whether its log was empty.
    boolean wasEmpty() {
        return asked == 0;
    }

    /// It has all below.
    long held() {
        return held;
    }
}
