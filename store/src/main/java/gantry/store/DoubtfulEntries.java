package gantry.store;

import gantry.wire.message.RecordView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Queue entries that records in doubt claim, until others say which of them fit.
///
/// ```
///   sound: 4 │ in doubt: 5 9 7 7 8 │ sound: 9      5 and 8 fit; 9 is taken, and only one of those that say 7 is right
///            └ a record of another queue that claims to be of this one makes two of one offset, or breaks the order
/// ```
/// For:   serving the messages of a block of which something else has changed, and no other.
/// Owner: whoever makes queue entries again.
/// Never: makes a queue: one of which only a record in doubt knows may never have been.
/// Holds: DOUBT-1 an offset is given to one record at most, in the order of the log; DOUBT-2 what fits lies
///        between what is known of its queue, or where that is known on one side only, joins it without a gap.
final class DoubtfulEntries {
    /// Neighbours of rot; further ones are left out.
    private static final int MOST = 100_000;

    /// What is known of a queue on neither side.
    static final long UNKNOWN_BEGIN = -1;

    static final long UNKNOWN_END = Long.MAX_VALUE;

    record Entry(long queueOffset, long logOffset, int size, long tagsCode) {}

    private final Map<ConsumeQueue, List<Entry>> waiting = new LinkedHashMap<>();
    private final Set<Long> leftOut = new HashSet<>();
    private int count;

    void add(ConsumeQueue queue, RecordView record, long tagsCode) {
        if (count >= MOST) {
            leaveOut(record.logOffset());
            return;
        }
        count++;
        waiting.computeIfAbsent(queue, _ -> new ArrayList<>())
                .add(new Entry(record.queueOffset(), record.logOffset(), record.size(), tagsCode));
    }

    /// What a record in doubt says is not believed.
    void leaveOut(long logOffset) {
        leftOut.add(logOffset);
    }

    /// How many records are in no queue because what they say of it fits nothing.
    int leftOutCount() {
        return leftOut.size();
    }

    /// Queues of which entries wait.
    List<ConsumeQueue> queues() {
        return List.copyOf(waiting.keySet());
    }

    /// Forgets what waits, because another pass over the log comes.
    void clear() {
        waiting.clear();
        count = 0;
    }

    /// What of a queue's waiting entries fits, in the order of offsets; nothing waits then.
    ///
    /// @param from the queue goes on there for certain
    /// @param to there it has a record for certain, or its end
    List<Entry> take(ConsumeQueue queue, long from, long to) {
        List<Entry> all = waiting.remove(queue);
        if (all == null) {
            return List.of();
        }
        count -= all.size();
        List<Entry> fit = fitting(
                all.stream()
                        .filter(each -> each.queueOffset() >= Math.max(0, from) && each.queueOffset() < to)
                        .toList(),
                from,
                to);
        all.forEach(each -> leftOut.add(each.logOffset()));
        fit.forEach(each -> leftOut.remove(each.logOffset()));
        return fit;
    }

    private static List<Entry> fitting(List<Entry> claimed, long from, long to) {
        if (from == UNKNOWN_BEGIN && to == UNKNOWN_END) {
            return List.of();
        }
        Map<Long, Integer> claims = new HashMap<>();
        claimed.forEach(each -> claims.merge(each.queueOffset(), 1, Integer::sum));
        List<Entry> once = claimed.stream()
                .filter(each -> claims.getOrDefault(each.queueOffset(), 0) == 1)
                .toList();
        if (to == UNKNOWN_END) {
            return joined(once, from, 1);
        }
        return from == UNKNOWN_BEGIN ? joined(once.reversed(), to - 1, -1).reversed() : ordered(once);
    }

    /// One after another without a gap.
    private static List<Entry> joined(List<Entry> claimed, long first, int step) {
        List<Entry> fit = new ArrayList<>();
        long next = first;
        for (Entry each : claimed) {
            if (each.queueOffset() == next) {
                fit.add(each);
                next += step;
            }
        }
        return fit;
    }

    /// Those that stand in order with all others.
    private static List<Entry> ordered(List<Entry> claimed) {
        long[] leastBehind = new long[claimed.size() + 1];
        leastBehind[claimed.size()] = Long.MAX_VALUE;
        for (int i = claimed.size() - 1; i >= 0; i--) {
            leastBehind[i] = Math.min(leastBehind[i + 1], claimed.get(i).queueOffset());
        }
        List<Entry> fit = new ArrayList<>();
        long greatest = -1;
        for (int i = 0; i < claimed.size(); i++) {
            long offset = claimed.get(i).queueOffset();
            if (offset > greatest && offset < leastBehind[i + 1]) {
                fit.add(claimed.get(i));
            }
            greatest = Math.max(greatest, offset);
        }
        return fit;
    }
}
