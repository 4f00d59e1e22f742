package gantry.sim.house;

import gantry.sim.SimFailure;
import gantry.sim.check.QueueName;
import gantry.sim.check.Stored;
import gantry.store.ConsumeQueue;
import gantry.store.Fetch;
import gantry.store.FetchRequest;
import gantry.store.Store;
import gantry.store.TagCodes;
import gantry.wire.message.Check;
import gantry.wire.message.RecordView;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Reads everything that a store shows.
///
/// For:   comparing it with the ledger; it also finds holes in a queue.
/// Owner: none (stateless).
final class LogContents {
    private static final int AT_ONCE = 64;

    private LogContents() {}

    /// The queues of users' topics, each from its first to its last message.
    static Map<QueueName, List<Stored>> of(Store store, boolean mayHaveGaps) {
        Map<QueueName, List<Stored>> all = new TreeMap<>();
        for (ConsumeQueue queue : store.queues()) {
            List<Stored> messages = read(store, queue, mayHaveGaps);
            if (!isOfTheBroker(queue.topic())) {
                all.put(new QueueName(queue.topic(), queue.queueId()), messages);
            }
        }
        return all;
    }

    static boolean isOfTheBroker(String topic) {
        return topic.startsWith("rmq_sys_") || topic.startsWith("%RETRY%") || topic.startsWith("SCHEDULE_TOPIC");
    }

    private static List<Stored> read(Store store, ConsumeQueue queue, boolean mayHaveGaps) {
        List<Stored> messages = new ArrayList<>();
        long next = queue.minOffset();
        while (next < queue.maxOffset()) {
            FetchRequest request = new FetchRequest(next, AT_ONCE, 1 << 20, TagCodes.ANY);
            Fetch fetch =
                    store.fetch(queue, request, (found, ranges) -> ranges.forEach(range -> parse(range, messages)));
            if (fetch.status() == Fetch.Status.REBUILDING) {
                store.awaitReadable(queue, next);
                if (store.isReadable(queue, next)) {
                    continue;
                }
            }
            if (mayHaveGaps && fetch.status() == Fetch.Status.MESSAGE_WAS_REMOVING && fetch.nextOffset() > next) {
                // Only offsets that were given and are known to be lost.
                next = fetch.nextOffset();
                continue;
            }
            if (fetch.status() != Fetch.Status.FOUND || fetch.nextOffset() <= next) {
                throw new SimFailure("P3 queue " + queue + " holds " + queue.minOffset() + " to " + queue.maxOffset()
                        + ", but at " + next + " there is " + fetch.status());
            }
            next = fetch.nextOffset();
        }
        for (int i = 0; i < messages.size(); i++) {
            long expected = i == 0 ? queue.minOffset() : messages.get(i - 1).queueOffset() + 1;
            long found = messages.get(i).queueOffset();
            // A queue that lost its files and, with un-synced messages, the log's end, goes on behind their offsets.
            if (found < expected || (found > expected && !mayHaveGaps)) {
                throw new SimFailure("P3 place " + expected + " of queue " + queue + " holds a record of " + found);
            }
        }
        return messages;
    }

    /// Adds every record of a range; also for the body of a pull answer.
    static void parse(ByteBuffer records, List<Stored> messages) {
        RecordView view = new RecordView();
        int at = records.position();
        while (at < records.limit()) {
            Check check = view.wrap(records, at, records.limit(), true);
            if (check != Check.OK) {
                throw new SimFailure("P5 a record is served that is damaged: " + check);
            }
            messages.add(new Stored(view.queueOffset(), keyOf(view), view.logOffset() + view.size()));
            at += view.size();
        }
    }

    private static String keyOf(RecordView view) {
        String body = new String(view.body(), StandardCharsets.ISO_8859_1);
        int end = body.indexOf('|');
        return end < 0 ? body : body.substring(0, end);
    }
}
