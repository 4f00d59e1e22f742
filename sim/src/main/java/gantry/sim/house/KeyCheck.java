package gantry.sim.house;

import gantry.sim.SimFailure;
import gantry.sim.check.Stored;
import gantry.store.KeyAnswer;
import gantry.store.KeyQuery;
import gantry.store.Store;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Asks for every message of a topic by its key, and for those of each producer by the key that they share.
///
/// For:   "a key query finds every confirmed message with that key, and no other".
/// Owner: the scheduler's thread; for one time.
final class KeyCheck {
    private final Store store;
    private final String topic;
    private int waiting;
    /// Answers come inside of the broker, where an exception would be taken for the broker's own.
    private @Nullable SimFailure broken;

    KeyCheck(Store store, String topic) {
        this.store = store;
        this.topic = topic;
        TreeMap<String, List<Stored>> byProducer = new TreeMap<>();
        LogContents.of(store, true).forEach((queue, messages) -> {
            if (queue.topic().equals(topic)) {
                for (Stored message : messages) {
                    ask(message.key(), List.of(message));
                    String producer = message.key().substring(0, message.key().indexOf('-'));
                    byProducer.computeIfAbsent(producer, _ -> new ArrayList<>()).add(message);
                }
            }
        });
        byProducer.forEach((producer, messages) -> ask("of-" + producer, newest(messages)));
        ask("nobody-1", List.of());
    }

    boolean isDone() {
        if (broken != null) {
            throw broken;
        }
        return waiting == 0;
    }

    private static List<Stored> newest(List<Stored> messages) {
        return messages.stream()
                .sorted((a, b) -> Long.compare(b.endOffset(), a.endOffset()))
                .limit(KeyQuery.MOST_MESSAGES)
                .toList();
    }

    private void ask(String key, List<Stored> expected) {
        waiting++;
        KeyQuery query = new KeyQuery(topic, key, KeyQuery.Kind.ANY, 0, Long.MAX_VALUE, KeyQuery.MOST_MESSAGES);
        store.query(query, new KeyAnswer() {
            @Override
            public void found(List<ByteBuffer> records, long indexedMillis, long indexedOffset) {
                waiting--;
                List<Stored> found = new ArrayList<>();
                records.forEach(record -> LogContents.parse(record, found));
                String fault = fault(key, expected, found);
                broken = broken != null || fault == null ? broken : new SimFailure(fault);
            }

            @Override
            public void refused(String why) {
                broken = new SimFailure("P4 the query for key " + key + " is refused: " + why);
            }
        });
    }

    private static @Nullable String fault(String key, List<Stored> expected, List<Stored> found) {
        for (Stored message : expected) {
            if (!found.contains(message)) {
                return "P3 the message \"" + message.key() + "\", which ends at " + message.endOffset()
                        + ", is not found by its key " + key + "; found: " + found;
            }
        }
        return found.equals(expected) ? null : "P3 by key " + key + " there are " + found + ", and not " + expected;
    }
}
