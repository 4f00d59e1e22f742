package gantry.sim.check;

import gantry.sim.SimFailure;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/// Everything that was promised about messages.
///
/// For:   P1 (an acknowledged message survives), P2 (a seen message is never taken back) and P3 (queue offsets are
///        dense, unique and never used again).
/// Owner: the scheduler's thread.
/// Never: guesses: an attempt without an answer may be in the log or not, but in one place, and for good once seen.
public final class Ledger {
    /// Everything below any log offset.
    public static final long EVERYTHING = Long.MAX_VALUE;

    /// What is known of one place in one queue.
    private static final class Entry {
        final String key;
        final long endOffset;
        boolean acknowledged;
        boolean seen;

        Entry(String key, long endOffset) {
            this.key = key;
            this.endOffset = endOffset;
        }
    }

    private final TreeSet<String> attempted = new TreeSet<>();
    private final TreeMap<String, String> placeOf = new TreeMap<>();
    private final TreeMap<QueueName, TreeMap<Long, Entry>> queues = new TreeMap<>();
    private long acknowledgedCount;
    private long seenCount;
    private long lostCount;

    /// A message goes out; every further attempt of it has a key of its own.
    public void attempted(String key) {
        if (!attempted.add(key)) {
            throw new IllegalArgumentException("the key " + key + " is used twice");
        }
    }

    /// A producer got SEND_OK.
    ///
    /// @param endOffset a place in the log behind the message's record
    public void acknowledged(QueueName queue, long queueOffset, String key, long endOffset) {
        Entry entry = place(queue, queueOffset, key, endOffset, "P3", "answered");
        if (entry.acknowledged) {
            throw new SimFailure("P3 " + key + " at " + queue + ":" + queueOffset + " is acknowledged twice");
        }
        entry.acknowledged = true;
        acknowledgedCount++;
    }

    /// A consumer was given a message.
    public void seen(QueueName queue, Stored message) {
        place(queue, message.queueOffset(), message.key(), message.endOffset(), "P2", "shown").seen = true;
        seenCount++;
    }

    /// Consumers say that they have reached the end of every queue. Where something was lost they may have been ahead
    /// of what came in its place.
    public void allDelivered() {
        if (lostCount > 0) {
            return;
        }
        queues.forEach((queue, entries) -> entries.forEach((queueOffset, entry) -> {
            if (!entry.seen) {
                throw new SimFailure("P1 the " + (entry.acknowledged ? "acknowledged" : "stored") + " message \""
                        + entry.key + "\" at " + queue + ":" + queueOffset + " was never given to a consumer");
            }
        }));
    }

    private Entry place(QueueName queue, long queueOffset, String key, long endOffset, String promise, String how) {
        if (!attempted.contains(key)) {
            throw new SimFailure(promise + " " + queue + ":" + queueOffset + " is " + how + " as \"" + key
                    + "\", which nobody sent");
        }
        TreeMap<Long, Entry> entries = queues.computeIfAbsent(queue, q -> new TreeMap<>());
        Entry entry = entries.get(queueOffset);
        if (entry == null) {
            entry = new Entry(key, endOffset);
            entries.put(queueOffset, entry);
        } else if (!entry.key.equals(key)) {
            throw new SimFailure(promise + " " + queue + ":" + queueOffset + " is " + how + " as \"" + key
                    + "\", but it was \"" + entry.key + "\" before");
        }
        String here = queue + ":" + queueOffset;
        String known = placeOf.putIfAbsent(key, here);
        if (known != null && !known.equals(here)) {
            throw new SimFailure("P3 one attempt, \"" + key + "\", stands at " + known + " and at " + here);
        }
        return entry;
    }

    /// The log was read from end to end after a start.
    ///
    /// @param content of every queue, in order
    /// @param certainBelow what ends at or below this log offset had to survive
    public void recovered(Map<QueueName, List<Stored>> content, long certainBelow) {
        queues.forEach(
                (queue, entries) -> compare(queue, entries, content.getOrDefault(queue, List.of()), certainBelow));
        content.forEach((queue, messages) -> {
            for (Stored message : messages) {
                place(queue, message.queueOffset(), message.key(), message.endOffset(), "P3", "found");
            }
        });
    }

    private void compare(QueueName queue, SortedMap<Long, Entry> entries, List<Stored> messages, long certainBelow) {
        TreeMap<Long, String> found = new TreeMap<>();
        for (Stored message : messages) {
            found.put(message.queueOffset(), message.key());
        }
        Iterator<Map.Entry<Long, Entry>> all = entries.entrySet().iterator();
        while (all.hasNext()) {
            Map.Entry<Long, Entry> next = all.next();
            Entry entry = next.getValue();
            String here = found.get(next.getKey());
            if (entry.key.equals(here)) {
                continue;
            }
            if (entry.endOffset <= certainBelow) {
                throw new SimFailure((entry.acknowledged ? "P1 the acknowledged" : "P2 the visible") + " message \""
                        + entry.key + "\" at " + queue + ":" + next.getKey() + " is gone after a restart; there is "
                        + (here == null ? "nothing" : "\"" + here + "\"") + " instead");
            }
            all.remove();
            placeOf.remove(entry.key);
            lostCount++;
        }
    }

    public long acknowledgedCount() {
        return acknowledgedCount;
    }

    public long seenCount() {
        return seenCount;
    }

    /// Messages that were lost where that is allowed.
    public long lostCount() {
        return lostCount;
    }

    /// How many messages are known to be in a queue.
    public long countOf(QueueName queue) {
        return queues.getOrDefault(queue, new TreeMap<>()).size();
    }
}
