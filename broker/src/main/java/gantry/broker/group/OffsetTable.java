package gantry.broker.group;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The consumed offsets of one consumer group.
///
/// For:   keeping what was committed apart from what the log already carries.
/// Owner: the shard of its group.
/// Never: shows an offset that the log does not carry yet: whoever asks waits for `Cell.logged`.
/// Holds: OFF-1 a shown offset never goes back unless a client or an operator sets it back.
final class OffsetTable {
    /// One queue's progress.
    private static final class Cell {
        /// What was committed last.
        private long wanted;
        /// What the last fact that was handed to the log says; −1 for none.
        private long handed = -1;
        /// What a confirmed fact says; −1 for none.
        private long logged = -1;
    }

    private final Map<String, TreeMap<Integer, Cell>> topics = new LinkedHashMap<>();

    /// A client's own commit; may go back, as a client that seeks does.
    void commit(String topic, int queueId, long offset) {
        cell(topic, queueId).wanted = offset;
    }

    /// Progress that rides on a pull; a late one says nothing new.
    ///
    /// @return whether it moved the offset
    boolean progress(String topic, int queueId, long offset) {
        Cell cell = cell(topic, queueId);
        if (offset <= cell.wanted && (cell.wanted > 0 || cell.handed >= 0)) {
            return false;
        }
        cell.wanted = offset;
        return true;
    }

    /// What was committed last, logged or not.
    OptionalLong wanted(String topic, int queueId) {
        TreeMap<Integer, Cell> queues = topics.get(topic);
        Cell cell = queues == null ? null : queues.get(queueId);
        return cell == null ? OptionalLong.empty() : OptionalLong.of(cell.wanted);
    }

    /// Whether the log already carries what was committed last.
    boolean isLogged(String topic, int queueId) {
        TreeMap<Integer, Cell> queues = topics.get(topic);
        Cell cell = queues == null ? null : queues.get(queueId);
        return cell != null && cell.logged == cell.wanted && cell.handed == cell.wanted;
    }

    void handed(String topic, int queueId, long offset) {
        cell(topic, queueId).handed = offset;
    }

    void logged(String topic, int queueId, long offset) {
        Cell cell = find(topic, queueId);
        if (cell != null) {
            cell.logged = offset;
        }
    }

    /// A fact was not taken: hand it over again at the next tick.
    void notTaken(String topic, int queueId) {
        Cell cell = find(topic, queueId);
        if (cell != null) {
            cell.handed = cell.logged;
        }
    }

    /// What is on its way may come back when its topic is forgotten already.
    private @Nullable Cell find(String topic, int queueId) {
        TreeMap<Integer, Cell> queues = topics.get(topic);
        return queues == null ? null : queues.get(queueId);
    }

    /// No fact is known to carry any offset.
    void handAgain() {
        topics.values().forEach(queues -> queues.values().forEach(cell -> cell.handed = -1));
    }

    /// From the log at start.
    void restore(String topic, int queueId, long offset) {
        Cell cell = cell(topic, queueId);
        cell.wanted = offset;
        cell.handed = offset;
        cell.logged = offset;
    }

    /// Commits that no fact carries yet, by topic.
    Map<String, Map<Integer, Long>> unhanded() {
        Map<String, Map<Integer, Long>> dirty = new LinkedHashMap<>();
        topics.forEach((topic, queues) -> queues.forEach((queueId, cell) -> {
            if (cell.handed != cell.wanted) {
                dirty.computeIfAbsent(topic, t -> new TreeMap<>()).put(queueId, cell.wanted);
            }
        }));
        return dirty;
    }

    /// What the log carries or was handed, by topic: at least every fact that is confirmed by now.
    Map<String, Map<Integer, Long>> handedOffsets() {
        Map<String, Map<Integer, Long>> all = new LinkedHashMap<>();
        topics.forEach((topic, queues) -> queues.forEach((queueId, cell) -> {
            if (cell.handed >= 0) {
                all.computeIfAbsent(topic, t -> new TreeMap<>()).put(queueId, cell.handed);
            }
        }));
        return all;
    }

    void forgetTopic(String topic) {
        topics.remove(topic);
    }

    private Cell cell(String topic, int queueId) {
        return topics.computeIfAbsent(topic, t -> new TreeMap<>()).computeIfAbsent(queueId, q -> new Cell());
    }
}
