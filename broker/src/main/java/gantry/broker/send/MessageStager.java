package gantry.broker.send;

import gantry.base.Clock;
import gantry.base.Invariant;
import gantry.broker.session.AppendBurst;
import gantry.broker.session.PropertyTail;
import gantry.broker.session.Request;
import gantry.broker.topic.Catalogue;
import gantry.broker.topic.Topic;
import gantry.broker.topic.TopicNames;
import gantry.store.ConsumeQueue;
import gantry.wire.frame.HeaderReader;
import gantry.wire.frame.ResponseCodes;
import gantry.wire.header.SendHeader;
import gantry.wire.message.BatchItems;
import gantry.wire.message.MessageFlags;
import gantry.wire.message.MessageLayout;
import gantry.wire.message.MessageProperties;
import gantry.wire.message.PropertyNames;
import gantry.wire.message.RecordWriter;
import gantry.wire.message.UniqueKey;
import java.util.Arrays;

/// Turns an admitted send into records of the session's burst.
///
/// For:   the last step before the log: which queue, which properties, encode.
/// Owner: none; works on the session's objects.
/// Never: decides whether a message may be sent.
public final class MessageStager {
    /// Room for everything of a record but topic, properties and body.
    private static final int FRAME_BYTES = 512;

    /// After a loss of power a start could not tell such a record from one that is only half on disk, and would end the
    /// log there, with everybody's messages behind it.
    private static final String ZERO_IN_PROPERTIES =
            "a property of the message has a zero byte in its name or value: encode binary values, for example as Base64";

    private final SendConfig config;
    private final Catalogue catalogue;
    private final Clock clock;
    /// Stored with every message: region, trace switch, cluster.
    private final byte[] everyMessage;

    public MessageStager(SendConfig config, Catalogue catalogue, Clock clock) {
        this.config = config;
        this.catalogue = catalogue;
        this.clock = clock;
        PropertyTail tail = new PropertyTail()
                .add(PropertyNames.MSG_REGION, AppendBurst.REGION)
                .add(PropertyNames.TRACE_ON, "true")
                .add(PropertyNames.CLUSTER, config.clusterName());
        this.everyMessage = Arrays.copyOf(tail.bytes(), tail.size());
    }

    /// Stages the request's message or messages, and closes or refuses the request.
    void stage(Request request, SendHeader send, Topic topic) {
        int queues = topic.config().writeQueues();
        int queueId = send.queueId() >= 0 ? send.queueId() : request.nextPick() % Math.max(1, queues);
        if (send.isBatch()) {
            stageBatch(request, send, topic, queueId);
        } else {
            stageOne(request, send, topic, queueId, true);
        }
    }

    /// The same for a dead letter: queue 0, at once.
    void stageDead(Request request, SendHeader send, Topic topic) {
        stageOne(request, send, topic, 0, false);
    }

    private void stageOne(Request request, SendHeader send, Topic topic, int queueId, boolean mayWait) {
        HeaderReader header = request.header();
        AppendBurst burst = burstWithRoom(
                request, (long) header.bodyLength() + send.propertiesLength() + send.topicLength() + FRAME_BYTES);
        MessageProperties properties = burst.properties();
        if (MessageProperties.hasZero(send.bytes(), send.propertiesFrom(), send.propertiesLength())) {
            request.refuse(ResponseCodes.MESSAGE_ILLEGAL, ZERO_IN_PROPERTIES);
            return;
        }
        properties.wrap(send.bytes(), send.propertiesFrom(), send.propertiesLength());
        if (MessageFlags.transaction(send.flags()) != MessageFlags.TRANSACTION_NONE
                || properties.isValue(PropertyNames.TRANSACTION_PREPARED, "true")) {
            request.refuse(
                    ResponseCodes.NO_PERMISSION,
                    "transaction messages are not available in this version of Gantry: send an ordinary message");
            return;
        }
        if (hasTimer(properties)) {
            request.refuse(
                    ResponseCodes.MESSAGE_ILLEGAL,
                    "timer messages (a delay that is not one of the delay levels) are not available in this version of Gantry: "
                            + "set a delay level instead");
            return;
        }
        int delay = delayLevel(properties);
        if (delay < 0) {
            request.refuse(ResponseCodes.MESSAGE_ILLEGAL, "the delay level is no number");
            return;
        }
        PropertyTail tail = burst.tail().clear().addStored(everyMessage);
        byte[] key = send.bytes();
        int keyAt = properties.find(PropertyNames.UNIQ_KEY);
        int keyFrom;
        int keyLength;
        if (keyAt >= 0) {
            keyFrom = properties.valueStart(keyAt);
            keyLength = properties.valueLength(keyAt);
            key = properties.bytes();
        } else {
            key = new byte[UniqueKey.MAX_CHARS];
            keyFrom = 0;
            keyLength = burst.keyMaker().next(clock.wallMillis(), key, 0);
            tail.add(PropertyNames.UNIQ_KEY, key, 0, keyLength);
        }
        long tagsCode = properties.tagsCode();
        Topic target = topic;
        int targetQueue = queueId;
        Topic schedule = delay > 0 && mayWait ? catalogue.topic(TopicNames.SCHEDULE_TOPIC) : null;
        if (schedule != null) {
            tail.add(PropertyNames.REAL_TOPIC, topic.name())
                    .add(PropertyNames.REAL_QUEUE_ID, Integer.toString(queueId));
            target = schedule;
            targetQueue = config.delayLevels().clamp(delay) - 1;
            tagsCode = clock.wallMillis() + config.delayLevels().millis(delay);
        }
        describe(burst, send, request, target, targetQueue);
        putProperties(burst, send.bytes(), send.propertiesFrom(), send.propertiesLength());
        burst.draft()
                .userFlag(send.userFlag())
                .addedProperties(tail.bytes(), 0, tail.size())
                .body(request.frame(), header.bodyOffset(), header.bodyLength());
        int size = burst.stage(target.queue(targetQueue), tagsCode, false);
        if (size < 0) {
            request.refuse(ResponseCodes.MESSAGE_ILLEGAL, sentenceOf(size));
        } else {
            burst.uniqueKey(key, keyFrom, keyLength);
            burst.keys(properties);
            burst.close(header, queueId, waits(properties), key, keyFrom, keyLength);
        }
    }

    private void stageBatch(Request request, SendHeader send, Topic topic, int queueId) {
        HeaderReader header = request.header();
        if (topic.isRetry()) {
            request.refuse(ResponseCodes.MESSAGE_ILLEGAL, "a batch cannot be sent to a retry topic");
            return;
        }
        BatchItems items = request.batchItems();
        int count = items.wrap(request.frame(), header.bodyOffset(), header.bodyLength());
        if (count <= 0) {
            request.refuse(
                    ResponseCodes.MESSAGE_ILLEGAL,
                    count == 0 ? "the batch is empty" : "the batch is malformed: " + items.fault());
            return;
        }
        while (items.next()) {
            if (items.propertiesLength() + everyMessage.length + RecordWriter.PROPERTIES_EXTRA_BYTES
                    > MessageLayout.PROPERTIES_MAX_BYTES) {
                request.refuse(
                        ResponseCodes.MESSAGE_ILLEGAL,
                        "a message of the batch cannot be stored: " + sentenceOf(RecordWriter.PROPERTIES_TOO_LONG));
                return;
            }
            if (MessageProperties.hasZero(request.frame(), items.propertiesOffset(), items.propertiesLength())) {
                request.refuse(ResponseCodes.MESSAGE_ILLEGAL, ZERO_IN_PROPERTIES);
                return;
            }
        }
        items.wrap(request.frame(), header.bodyOffset(), header.bodyLength());
        long each = send.topicLength() + FRAME_BYTES + (long) everyMessage.length;
        AppendBurst burst = burstWithRoom(request, header.bodyLength() + count * each);
        if (!burst.hasRoom(header.bodyLength() + count * each)) {
            request.refuse(
                    ResponseCodes.MESSAGE_ILLEGAL, "the batch is larger than this broker stores: send smaller batches");
            return;
        }
        ConsumeQueue queue = topic.queue(queueId);
        MessageProperties properties = burst.properties();
        describe(burst, send, request, topic, queueId);
        byte[] own = new byte[0];
        boolean first = true;
        while (items.next()) {
            int length = items.propertiesLength();
            if (own.length < length) {
                own = new byte[Math.max(length, 256)];
            }
            request.frame().get(items.propertiesOffset(), own, 0, length);
            properties.wrap(own, 0, length);
            putProperties(burst, own, 0, length);
            burst.draft()
                    .userFlag(items.userFlag())
                    .addedProperties(everyMessage)
                    .body(request.frame(), items.bodyOffset(), items.bodyLength());
            int size = burst.stage(queue, properties.tagsCode(), !first);
            if (size < 0) {
                throw Invariant.broken("SEND-1 an item that was checked does not fit: " + sentenceOf(size));
            }
            int itemKeyAt = properties.find(PropertyNames.UNIQ_KEY);
            if (itemKeyAt >= 0) {
                burst.uniqueKey(own, properties.valueStart(itemKeyAt), properties.valueLength(itemKeyAt));
            }
            burst.keys(properties);
            first = false;
        }
        properties.wrap(send.bytes(), send.propertiesFrom(), send.propertiesLength());
        int keyAt = properties.find(PropertyNames.UNIQ_KEY);
        burst.close(
                header,
                queueId,
                waits(properties),
                send.bytes(),
                keyAt < 0 ? 0 : properties.valueStart(keyAt),
                keyAt < 0 ? 0 : properties.valueLength(keyAt));
    }

    /// As they were sent, but for a CRC over a whole record, which is of the record that somebody has received,
    /// and would be taken for ours.
    private static void putProperties(AppendBurst burst, byte[] sent, int from, int length) {
        if (burst.properties().has(PropertyNames.RECORD_CRC)) {
            burst.draft().properties(burst.properties().without(PropertyNames.RECORD_CRC));
        } else {
            burst.draft().properties(sent, from, length);
        }
    }

    private static void describe(AppendBurst burst, SendHeader send, Request request, Topic topic, int queueId) {
        burst.draft()
                .topic(topic.nameBytes())
                .queueId(queueId)
                .flags(send.flags())
                .bornMillis(send.bornMillis())
                .bornHost(request.remoteHost())
                .storeHost(burst.storeHost())
                .redeliveries(send.redeliveries())
                .preparedLogOffset(0);
    }

    private static AppendBurst burstWithRoom(Request request, long bytes) {
        AppendBurst burst = request.burst();
        if (!burst.hasRoom(bytes)) {
            request.closeBurst();
            burst = request.burst();
            burst.hasRoom(bytes);
        }
        return burst;
    }

    private static boolean waits(MessageProperties properties) {
        return !properties.isValue(PropertyNames.WAIT, "false");
    }

    private static boolean hasTimer(MessageProperties properties) {
        return properties.has(PropertyNames.TIMER_DELAY_SECONDS)
                || properties.has(PropertyNames.TIMER_DELAY_MILLIS)
                || properties.has(PropertyNames.TIMER_DELIVER_MILLIS);
    }

    /// @return 0 without a delay, −1 when it is no number
    private static int delayLevel(MessageProperties properties) {
        String text = properties.has(PropertyNames.DELAY) ? properties.text(PropertyNames.DELAY) : null;
        if (text == null) {
            return 0;
        }
        return text.matches("[0-9]{1,9}") ? Integer.parseInt(text) : -1;
    }

    private static String sentenceOf(int negativeSize) {
        return switch (negativeSize) {
            case RecordWriter.PROPERTIES_TOO_LONG -> "its properties have more than 32767 bytes";
            case RecordWriter.TOPIC_TOO_LONG -> "its topic name has more than 255 bytes";
            default -> "it is larger than this broker stores";
        };
    }
}
