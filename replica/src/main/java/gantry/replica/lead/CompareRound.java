package gantry.replica.lead;

import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/// How far the comparison with one member has come, over all its links.
///
/// ```
///   rests ── due ──▶ begin … position … end ──▶ rests       the end is where both had settled it at the begin
/// ```
/// For:   going on where the last link ended, and telling how it stands.
/// Owner: the group.
final class CompareRound {
    /// Ranges that differ and are remembered one by one.
    static final int MOST_DIFFERING = 1_000;

    private final TreeMap<Long, Long> differing = new TreeMap<>();
    private boolean begun;
    private boolean underWay;
    private boolean whole;
    private long position;
    private long end;
    private long startedNanos;
    private boolean everWhole;
    private long wholeNanos;
    private boolean everEnded;
    private long endedNanos;
    private long compared;
    private long rottenThere;

    boolean isUnderWay() {
        return underWay;
    }

    boolean isDue(long everyNanos, long nowNanos) {
        return !underWay && (!begun || nowNanos - startedNanos >= everyNanos);
    }

    void begin(long from, long to, long nowNanos) {
        begun = true;
        underWay = true;
        whole = true;
        position = from;
        end = to;
        startedNanos = nowNanos;
    }

    long position() {
        return position;
    }

    long end() {
        return end;
    }

    /// Both have the same there.
    void same(long from, long to) {
        compared++;
        position = to;
        differing.subMap(from, to).clear();
    }

    /// Each says that its own is sound.
    void differs(long from, long to) {
        compared++;
        whole = false;
        position = to;
        if (differing.size() < MOST_DIFFERING) {
            differing.put(from, to);
        }
    }

    /// The member's is rotten, or its bytes are: it asks for them by itself.
    void rottenThere(long to) {
        compared++;
        rottenThere++;
        whole = false;
        position = to;
    }

    /// It could not be compared now.
    void skipped(long to) {
        whole = false;
        position = Math.max(position, to);
    }

    /// What was there is let go by retention: nothing is left to compare.
    void dropped(long begin) {
        position = Math.max(position, begin);
        differing.headMap(begin).clear();
    }

    void ended(long nowNanos) {
        underWay = false;
        everEnded = true;
        endedNanos = nowNanos;
        if (whole) {
            everWhole = true;
            wholeNanos = nowNanos;
        }
    }

    CompareFigures figures(long member) {
        Map.Entry<Long, Long> first = differing.firstEntry();
        return new CompareFigures(
                member,
                compared,
                rottenThere,
                differing.size(),
                first == null ? -1 : first.getKey(),
                first == null ? -1 : first.getValue(),
                everWhole ? OptionalLong.of(wholeNanos) : OptionalLong.empty(),
                everEnded ? OptionalLong.of(endedNanos) : OptionalLong.empty(),
                underWay ? position : -1,
                underWay ? end : -1);
    }
}
