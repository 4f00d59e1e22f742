package gantry.broker.delay;

import gantry.base.Clock;
import gantry.base.Image;
import gantry.base.Notices;
import gantry.base.Offload;
import gantry.base.Sequencer;
import gantry.broker.append.Outcome;
import gantry.broker.facts.Fact;
import gantry.broker.facts.FactLog;
import gantry.broker.topic.Catalogue;
import gantry.broker.topic.Topic;
import gantry.broker.topic.TopicNames;
import gantry.store.AppendBatch;
import gantry.store.ConsumeQueue;
import gantry.store.Fetch;
import gantry.store.FetchRequest;
import gantry.store.Refusal;
import gantry.store.Store;
import gantry.store.TagCodes;
import gantry.wire.message.Check;
import gantry.wire.message.MessageProperties;
import gantry.wire.message.PropertyNames;
import gantry.wire.message.RecordDraft;
import gantry.wire.message.RecordView;
import gantry.wire.message.RecordWriter;
import gantry.wire.message.TagsCode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// Moves messages from the delay queues to their own topics when they are due (messages.md §7).
///
/// For:   delay levels, and with them the redelivery of what consumers send back.
/// Owner: its sequencer.
/// Never: skips a message: a level goes on only when what was due is confirmed; after a crash some come twice.
///
/// One batch is on its way at a time. Due is storeMillis plus the level's time, read from the record itself, so it does
/// not depend on what a queue entry carries.
public final class DelayDelivery {
    private static final int MOST_AT_ONCE = 32;
    private static final int MOST_BYTES = 4 * 1024 * 1024;
    private static final int MOST_STAGING_BYTES = 8 * 1024 * 1024;

    private final Store store;
    private final Catalogue catalogue;
    private final FactLog facts;
    private final DelayLevels levels;
    private final Clock clock;
    private final Notices notices;
    private final Sequencer sequencer;
    private final long[] next;
    private final Image<SortedMap<Integer, Long>> progress = new Image<>(Collections.emptySortedMap());
    private final Delivery delivery;
    private boolean onItsWay;

    public DelayDelivery(
            Store store,
            Catalogue catalogue,
            FactLog facts,
            DelayLevels levels,
            Clock clock,
            Offload offload,
            Notices notices,
            Sequencer.Faults faults) {
        this.store = store;
        this.catalogue = catalogue;
        this.facts = facts;
        this.levels = levels;
        this.clock = clock;
        this.notices = notices;
        this.sequencer = new Sequencer("delay", offload, faults);
        this.next = new long[levels.count() + 1];
        this.delivery = new Delivery(store.draft());
    }

    /// At start: what the log says.
    public void restore(Fact.DelayProgress fact) {
        sequencer.submitAlways(() -> {
            if (fact.level() > 0 && fact.level() < next.length) {
                next[fact.level()] = fact.offset();
                publish();
            }
        });
    }

    /// Runs `then` once what was restored so far can be seen.
    public void whenRestored(Runnable then) {
        sequencer.submitAlways(() -> sequencer.after(then));
    }

    /// Says in facts how far each level is.
    public void restate() {
        sequencer.submitAlways(() -> {
            for (int level = 1; level < next.length; level++) {
                if (next[level] > 0) {
                    facts.append(new Fact.DelayProgress(level, next[level]), Outcome.IGNORED);
                }
            }
        });
    }

    public void tick() {
        sequencer.submitAlways(() -> deliverFrom(1));
    }

    /// How far each level has been delivered: at least every fact that is confirmed by now.
    public SortedMap<Integer, Long> progress() {
        return progress.read();
    }

    private void deliverFrom(int firstLevel) {
        for (int level = firstLevel; level < next.length && !onItsWay; level++) {
            ConsumeQueue queue = store.find(TopicNames.SCHEDULE_TOPIC, level - 1);
            if (queue != null && next[level] < queue.maxOffset()) {
                deliver(level, queue);
            }
        }
    }

    private void deliver(int level, ConsumeQueue queue) {
        long from = Math.max(next[level], queue.minOffset());
        delivery.open(level, from, clock.wallMillis() - levels.millis(level));
        Fetch fetch = store.fetch(
                queue,
                new FetchRequest(from, MOST_AT_ONCE, MOST_BYTES, TagCodes.ANY),
                (found, ranges) -> delivery.take(ranges));
        if (fetch.status() == Fetch.Status.REBUILDING) {
            return;
        }
        if (fetch.status() == Fetch.Status.UNREADABLE) {
            notices.warn("the delay queue of level " + level + " cannot be read at queueOffset " + from
                    + "; delayed messages of this level wait. It is tried again");
            return;
        }
        if (delivery.isEmpty()) {
            if (fetch.status() != Fetch.Status.FOUND && fetch.nextOffset() > from) {
                next[level] = fetch.nextOffset();
            }
            return;
        }
        onItsWay = true;
        store.append(delivery.batch);
    }

    private void delivered(int level, long nextOffset) {
        onItsWay = false;
        next[level] = nextOffset;
        publish();
        facts.append(new Fact.DelayProgress(level, nextOffset), Outcome.IGNORED);
        // The same level may have more; the others come with it.
        deliverFrom(level);
    }

    private void publish() {
        SortedMap<Integer, Long> all = new TreeMap<>();
        for (int level = 1; level < next.length; level++) {
            if (next[level] > 0) {
                all.put(level, next[level]);
            }
        }
        progress.publish(Collections.unmodifiableSortedMap(all));
    }

    private void failed(Refusal why) {
        onItsWay = false;
        if (!why.retryable()) {
            notices.alarm("a delayed message cannot be delivered: " + why.sentence());
        }
    }

    /// The due messages of one level, on their way.
    private final class Delivery implements AppendBatch.Listener {
        private final AppendBatch batch = new AppendBatch(this, MOST_STAGING_BYTES);
        private final RecordDraft draft;
        private final RecordView view = new RecordView();
        private int level;
        private long nextOffset;
        private long storedBefore;
        private boolean full;

        Delivery(RecordDraft draft) {
            this.draft = draft;
        }

        void open(int newLevel, long from, long newStoredBefore) {
            level = newLevel;
            nextOffset = from;
            storedBefore = newStoredBefore;
            full = false;
            batch.reset();
        }

        boolean isEmpty() {
            return batch.count() == 0;
        }

        void take(List<ByteBuffer> ranges) {
            for (ByteBuffer range : ranges) {
                int at = range.position();
                while (at < range.limit() && !full) {
                    if (view.wrap(range, at, range.limit(), false) != Check.OK || view.storeMillis() > storedBefore) {
                        full = true;
                        return;
                    }
                    full = !stage();
                    at += view.size();
                }
            }
        }

        private boolean stage() {
            Map<String, String> properties = view.properties().toMap();
            String topic = properties.get(PropertyNames.REAL_TOPIC.text());
            String queueText = properties.getOrDefault(PropertyNames.REAL_QUEUE_ID.text(), "0");
            if (topic == null || !queueText.matches("[0-9]{1,9}")) {
                notices.warn("a delayed message at logOffset " + view.logOffset()
                        + " does not say where it belongs; it is left out");
                nextOffset = view.queueOffset() + 1;
                return true;
            }
            properties.remove(PropertyNames.DELAY.text());
            properties.remove(PropertyNames.RECORD_CRC.text());
            Topic target = catalogue.topic(topic);
            if (target == null || view.logOffset() < store.topicEnds().droppedBelow(topic)) {
                // It was deleted while the message waited; one that was made again is another.
                nextOffset = view.queueOffset() + 1;
                return true;
            }
            ConsumeQueue queue = target.queue(Integer.parseInt(queueText));
            String tag = properties.get(PropertyNames.TAGS.text());
            draft.clear()
                    .topic(topic.getBytes(StandardCharsets.UTF_8))
                    .queueId(queue.queueId())
                    .body(view.body())
                    .properties(MessageProperties.encode(properties))
                    .userFlag(view.userFlag())
                    .flags(view.flags())
                    .bornMillis(view.bornMillis())
                    .bornHost(view.bornHost())
                    .storeHost(view.storeHost())
                    .redeliveries(view.redeliveries());
            if (!batch.room((int) Math.min(Integer.MAX_VALUE, RecordWriter.sizeOf(draft)))) {
                return false;
            }
            int start = batch.staging().position();
            int size = RecordWriter.write(batch.staging(), draft);
            if (size > 0) {
                batch.add(queue, start, size, tag == null ? TagsCode.NONE : TagsCode.of(tag), false);
            }
            nextOffset = view.queueOffset() + 1;
            return true;
        }

        @Override
        public void written(AppendBatch b) {}

        @Override
        public void confirmed(AppendBatch b) {
            int ofLevel = level;
            long to = nextOffset;
            sequencer.submitAlways(() -> delivered(ofLevel, to));
        }

        @Override
        public void late(AppendBatch b) {
            refused(b, new Refusal(Refusal.Kind.BUSY, "the disk is slow"));
        }

        @Override
        public void refused(AppendBatch b, Refusal why) {
            sequencer.submitAlways(() -> failed(why));
        }
    }
}
