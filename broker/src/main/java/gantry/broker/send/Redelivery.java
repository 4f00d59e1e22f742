package gantry.broker.send;

import gantry.base.Clock;
import gantry.broker.append.RecordAppender;
import gantry.broker.delay.DelayLevels;
import gantry.broker.session.Refusals;
import gantry.broker.session.Reply;
import gantry.broker.topic.Catalogue;
import gantry.broker.topic.Topic;
import gantry.broker.topic.TopicNames;
import gantry.wire.message.MessageFlags;
import gantry.wire.message.MessageProperties;
import gantry.wire.message.OffsetMessageId;
import gantry.wire.message.PropertyNames;
import gantry.wire.message.RecordHost;
import gantry.wire.message.RecordView;
import gantry.wire.message.TagsCode;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Stores the copy of a message that is to be consumed again, or that nobody could consume.
///
/// For:   retry topics, through the delay queues, and dead-letter topics.
/// Owner: none.
/// Never: less durable than the message itself: its answer waits until the copy is confirmed, because the
///        consumer goes on behind the message then.
public final class Redelivery {
    /// Level that a first redelivery waits; each further one waits a level more.
    static final int FIRST_LEVEL = 3;

    /// What is needed of the message that comes again.
    record Original(
            String topic,
            ByteBuffer body,
            Map<String, String> properties,
            int userFlag,
            int flags,
            long bornMillis,
            RecordHost bornHost,
            RecordHost storeHost,
            long logOffset,
            int redeliveries) {
        static Original of(RecordView view) {
            return new Original(
                    view.topic(),
                    ByteBuffer.wrap(view.body()),
                    view.properties().toMap(),
                    view.userFlag(),
                    view.flags(),
                    view.bornMillis(),
                    view.bornHost(),
                    view.storeHost(),
                    view.logOffset(),
                    view.redeliveries());
        }
    }

    private final RecordAppender appender;
    private final Catalogue catalogue;
    private final DelayLevels levels;
    private final Clock clock;

    public Redelivery(RecordAppender appender, Catalogue catalogue, DelayLevels levels, Clock clock) {
        this.appender = appender;
        this.catalogue = catalogue;
        this.levels = levels;
        this.clock = clock;
    }

    /// @param delayLevel 0 lets the broker choose
    void store(Original original, Topic topic, int delayLevel, boolean dead, Reply reply) {
        Map<String, String> properties = new LinkedHashMap<>(original.properties);
        properties.putIfAbsent(PropertyNames.RETRY_TOPIC.text(), original.topic);
        properties.putIfAbsent(
                PropertyNames.ORIGIN_MESSAGE_ID.text(),
                new OffsetMessageId(original.storeHost, original.logOffset).text());
        properties.remove(PropertyNames.DELAY.text());
        properties.remove(PropertyNames.RECORD_CRC.text());
        int queueId =
                (int) ((original.logOffset >>> 3) % Math.max(1, topic.config().writeQueues()));
        Topic schedule = dead ? null : catalogue.topic(TopicNames.SCHEDULE_TOPIC);
        if (schedule == null) {
            append(original, topic, queueId, properties, tagsCode(properties), reply);
            return;
        }
        int level = levels.clamp(delayLevel > 0 ? delayLevel : FIRST_LEVEL + original.redeliveries);
        properties.put(PropertyNames.DELAY.text(), Integer.toString(level));
        properties.put(PropertyNames.REAL_TOPIC.text(), topic.name());
        properties.put(PropertyNames.REAL_QUEUE_ID.text(), Integer.toString(queueId));
        append(original, schedule, level - 1, properties, clock.wallMillis() + levels.millis(level), reply);
    }

    private void append(
            Original original, Topic to, int queueId, Map<String, String> properties, long tagsCode, Reply reply) {
        byte[] encoded = MessageProperties.encode(properties);
        appender.append(
                to.queue(queueId),
                tagsCode,
                draft -> draft.topic(to.nameBytes())
                        .body(original.body, 0, original.body.capacity())
                        .properties(encoded)
                        .userFlag(original.userFlag)
                        .flags(original.flags & ~(MessageFlags.BORN_HOST_V6 | MessageFlags.STORE_HOST_V6))
                        .bornMillis(original.bornMillis)
                        .bornHost(original.bornHost)
                        .redeliveries(original.redeliveries + 1),
                refusal -> {
                    if (refusal == null) {
                        reply.succeed();
                    } else {
                        reply.answer(Refusals.codeOf(refusal), refusal.remark());
                    }
                });
    }

    static long tagsCode(Map<String, String> properties) {
        @Nullable String tag = properties.get(PropertyNames.TAGS.text());
        return tag == null ? TagsCode.NONE : TagsCode.of(tag);
    }
}
