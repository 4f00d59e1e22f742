package gantry.broker.facts;

import gantry.base.Clock;
import gantry.broker.append.Outcome;
import gantry.broker.append.RecordAppender;
import gantry.broker.topic.TopicNames;
import gantry.store.ConsumeQueue;
import gantry.store.Fetch;
import gantry.store.FetchRequest;
import gantry.store.Store;
import gantry.store.TagCodes;
import gantry.wire.json.JsonFault;
import gantry.wire.message.Check;
import gantry.wire.message.RecordView;
import gantry.wire.message.TagsCode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Appends facts to the log, and reads them again at start.
///
/// For:   the one way of the broker's own state into and out of the log.
/// Owner: none (the store orders appends); safe from any thread.
/// Never: interprets a fact.
/// Holds: FACT-1 facts that one owner appends stand in the log in the order it appended them.
public final class FactLog {
    /// A fact could not be read at start.
    public static final class Unreadable extends Exception {
        private static final long serialVersionUID = 1L;

        public Unreadable(String sentence, @Nullable Throwable cause) {
            super(sentence, cause);
        }
    }

    /// Takes one fact after the other.
    public interface Taker {
        /// @param queueOffset of the fact in the facts queue
        /// @param logEnd where its record ends
        /// @return false to end the replay behind it
        boolean fact(long queueOffset, long logEnd, Fact fact);
    }

    private static final int MOST_FACT_BYTES = 4 * 1024 * 1024;
    private static final int REPLAYED_AT_ONCE = 32;
    private static final byte[] TOPIC = TopicNames.FACTS_TOPIC.getBytes(StandardCharsets.UTF_8);

    private final Store store;
    private final Clock clock;
    private final RecordAppender appender;
    private final ConsumeQueue queue;

    public FactLog(Store store, RecordAppender appender, Clock clock) {
        this.store = store;
        this.appender = appender;
        this.clock = clock;
        this.queue = store.queue(TopicNames.FACTS_TOPIC, 0);
    }

    public void append(Fact fact, Outcome outcome) {
        byte[] body = fact.toJson().getBytes(StandardCharsets.UTF_8);
        byte[] properties =
                ("TAGS\u0001" + fact.kind() + "\u0002WAIT\u0001true\u0002").getBytes(StandardCharsets.UTF_8);
        long now = clock.wallMillis();
        appender.appendOwnState(
                queue,
                TagsCode.of(fact.kind()),
                draft -> draft.topic(TOPIC)
                        .body(body)
                        .properties(properties)
                        .queueId(0)
                        .bornMillis(now),
                outcome);
    }

    /// The oldest fact that the log still has.
    public long begin() {
        return queue.minOffset();
    }

    /// The end of the facts that are confirmed.
    public long end() {
        return queue.maxOffset();
    }

    /// Retention leaves the facts from `neededFrom` on.
    public void keepFrom(LongSupplier neededFrom) {
        store.hold(queue, neededFrom);
    }

    /// Hands over every fact from `fromOffset` on, in order.
    ///
    /// @return where it ended: behind the last fact that was handed over
    public long replay(long fromOffset, Taker taker) throws Unreadable {
        long next = Math.max(fromOffset, queue.minOffset());
        RecordView view = new RecordView();
        while (next < queue.maxOffset()) {
            Replay replay = new Replay(view, taker);
            Fetch fetch = store.fetch(
                    queue,
                    new FetchRequest(next, REPLAYED_AT_ONCE, MOST_FACT_BYTES, TagCodes.ANY),
                    (found, ranges) -> ranges.forEach(replay::range));
            if (replay.fault != null) {
                throw new Unreadable(replay.fault, null);
            }
            if (replay.endedAt >= 0) {
                return replay.endedAt;
            }
            if (fetch.status() == Fetch.Status.REBUILDING) {
                store.awaitReadable(queue, next);
                if (store.isReadable(queue, next)) {
                    continue;
                }
            }
            if (fetch.nextOffset() <= next) {
                throw new Unreadable(
                        "the facts queue cannot be read at queueOffset " + next + " (" + fetch.status()
                                + "): run ./gantry verify on the store",
                        null);
            }
            next = fetch.nextOffset();
        }
        return next;
    }

    private static final class Replay {
        private final RecordView view;
        private final Taker taker;
        private @Nullable String fault;
        private long endedAt = -1;

        Replay(RecordView view, Taker taker) {
            this.view = view;
            this.taker = taker;
        }

        void range(ByteBuffer records) {
            int at = records.position();
            while (at < records.limit() && fault == null && endedAt < 0) {
                Check check = view.wrap(records, at, records.limit(), false);
                if (check != Check.OK) {
                    fault = "a fact's record is damaged (" + check + "): run ./gantry verify on the store";
                    return;
                }
                byte[] body = new byte[view.bodyLength()];
                records.get(view.bodyOffset(), body);
                try {
                    if (!taker.fact(view.queueOffset(), view.logOffset() + view.size(), Fact.fromJson(body))) {
                        endedAt = view.queueOffset() + 1;
                    }
                } catch (JsonFault e) {
                    fault = "the fact at logOffset " + view.logOffset() + " cannot be read: " + e.sentence()
                            + ". It may come from a newer Gantry: start that version";
                }
                at += view.size();
            }
        }
    }
}
