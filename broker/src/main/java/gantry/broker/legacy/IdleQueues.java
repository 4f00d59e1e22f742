package gantry.broker.legacy;

import gantry.store.ConsumeQueue;
import gantry.store.MemberLog;
import gantry.store.Store;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Queues that have given offsets at the master though our log has no message of them: the files are gone there.
///
/// ```
///   listed: no message here, log caught up ─▶ asked: goes on at n ─▶ log has reached the end told after that ─▶ begun
///      ▲                                        │ no answer
///      └───────── next round ◀──────────────────┘
/// ```
/// For:   the next message of such a queue getting the offset that it would get at the master.
/// Owner: the log sequencer.
/// Never: touches a queue of which our log has a message; asks twice what was answered.
/// Holds: IDLE-1 a queue is begun only when our log has reached what the master's ended at after it had said where the
///        queue goes on: what it counts is either below our log's begin, or is in our log and leaves nothing to begin.
final class IdleQueues {
    /// Queues that are asked about between two rounds for the tables, which wait meanwhile.
    static final int MOST_ASKED_AT_ONCE = 2000;

    /// Files that are made at one tick; each may have 6 MB.
    private static final int BEGUN_PER_TICK = 16;

    /// One queue.
    record Place(String topic, int queueId) {
        @Override
        public String toString() {
            return "queue " + queueId + " of topic " + topic;
        }
    }

    private record Told(Place place, long offset) {}

    private final Store store;
    private final MemberLog log;
    private final Set<Place> known = new HashSet<>();
    private final ArrayDeque<Place> wanted = new ArrayDeque<>();
    private final ArrayDeque<Told> told = new ArrayDeque<>();
    private SortedMap<String, Integer> topics = new TreeMap<>();
    private long endBefore = Long.MAX_VALUE;
    private long reachable = Long.MAX_VALUE;
    private boolean listed;
    private @Nullable LegacyFault refusedNow;
    private @Nullable LegacyFault refused;
    private @Nullable LegacyFault notBegun;

    IdleQueues(Store store, MemberLog log) {
        this.store = store;
        this.log = log;
    }

    /// The master's topics, each with the number of its queues.
    void topics(SortedMap<String, Integer> queueCounts) {
        topics = queueCounts;
    }

    /// Lists what to ask about. A log that lacks bytes lacks messages of most queues, so nothing is asked before it has
    /// come to where the master's ended a round ago.
    ///
    /// @param masterEnd as its figures say now
    void list(long masterEnd) {
        wanted.clear();
        boolean isFar = log.end() < Math.min(masterEnd, endBefore);
        endBefore = masterEnd;
        if (topics.isEmpty() || isFar || log.begin() == 0) {
            return;
        }
        refusedNow = null;
        for (Map.Entry<String, Integer> topic : topics.entrySet()) {
            for (int queueId = 0; queueId < topic.getValue(); queueId++) {
                Place place = new Place(topic.getKey(), queueId);
                if (isEmpty(place) && !known.contains(place)) {
                    wanted.add(place);
                }
                if (wanted.size() == MOST_ASKED_AT_ONCE) {
                    return;
                }
            }
        }
        listed = true;
        endPass();
    }

    private void endPass() {
        if (wanted.isEmpty()) {
            refused = refusedNow;
        }
    }

    private boolean isEmpty(Place place) {
        ConsumeQueue queue = store.find(place.topic, place.queueId);
        return queue == null || queue.maxOffset() == 0;
    }

    /// The next one to ask about; null when there is none.
    @Nullable
    Place next() {
        return wanted.peek();
    }

    /// The answer about `next`.
    void goesOnAt(long offset) {
        Place place = wanted.remove();
        known.add(place);
        if (offset > 0) {
            reachable = Long.MAX_VALUE;
            told.add(new Told(place, offset));
        }
        endPass();
    }

    /// No answer about `next`.
    void refused(LegacyFault why) {
        wanted.poll();
        refusedNow = why;
        refused = why;
    }

    /// Whether something was told that waits for `masterEnd`.
    boolean waitsForEnd() {
        return !told.isEmpty() && reachable == Long.MAX_VALUE;
    }

    /// Where the master's log ends, asked after all that was told.
    void masterEnd(long end) {
        reachable = end;
    }

    void tick() {
        for (int begun = 0; begun < BEGUN_PER_TICK && !told.isEmpty() && log.end() >= reachable; begun++) {
            Told next = told.getFirst();
            String wrong = log.beginQueue(next.place.topic, next.place.queueId, next.offset);
            if (wrong != null) {
                // The next round tries it again.
                notBegun = new LegacyFault(LegacyCause.OUR_LOG, wrong);
                reachable = Long.MAX_VALUE;
                return;
            }
            told.removeFirst();
            notBegun = null;
        }
    }

    /// Whether every queue goes on where the master's does, but for those that came later.
    boolean areBegun() {
        return log.begin() == 0 || (listed && wanted.isEmpty() && told.isEmpty() && refused == null);
    }

    /// What keeps a queue from being begun; null while nothing does.
    @Nullable
    LegacyFault fault() {
        return notBegun == null ? refused : notBegun;
    }
}
