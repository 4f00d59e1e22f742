package gantry.sim.house;

import gantry.wire.body.ConsumeFromWhere;
import gantry.wire.body.ConsumeType;
import gantry.wire.body.ConsumerMembership;
import gantry.wire.body.Heartbeat;
import gantry.wire.body.MessageModel;
import gantry.wire.body.ProducerMembership;
import gantry.wire.body.Subscription;
import gantry.wire.frame.Command;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.RequestCodes;
import gantry.wire.header.PullFlags;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// The requests that simulated clients send.
///
/// For:   frames as official clients would send them.
/// Owner: none (stateless).
final class Requests {
    private static final int BATCH_ITEM_BYTES = 4 + 4 + 4 + 4 + 4 + 2;

    private Requests() {}

    static Command route(String topic) {
        return Command.request(RequestCodes.GET_ROUTEINFO_BY_TOPIC)
                .with(FieldNames.TOPIC, topic)
                .with(FieldNames.ACCEPT_STANDARD_JSON_ONLY, true);
    }

    static Command send(String topic, int queueId, int queues, String key, byte[] body) {
        return sendFields(RequestCodes.SEND_MESSAGE_V2, topic, queueId, queues)
                .with("i", keyed(key))
                .withBody(body);
    }

    /// The properties of a message that is to be found by its key, and with the others of its sender.
    private static String keyed(String key) {
        return "KEYS\u0001" + key + " of-" + key.substring(0, key.indexOf('-')) + "\u0002";
    }

    static Command sendBatch(String topic, int queueId, int queues, List<String> keys, List<byte[]> bodies) {
        int size = 0;
        for (int i = 0; i < bodies.size(); i++) {
            size += BATCH_ITEM_BYTES + bodies.get(i).length + keyed(keys.get(i)).length();
        }
        ByteBuffer items = ByteBuffer.allocate(size);
        for (int i = 0; i < bodies.size(); i++) {
            byte[] body = bodies.get(i);
            byte[] properties = keyed(keys.get(i)).getBytes(StandardCharsets.US_ASCII);
            items.putInt(BATCH_ITEM_BYTES + body.length + properties.length)
                    .putInt(0)
                    .putInt(0)
                    .putInt(0)
                    .putInt(body.length)
                    .put(body)
                    .putShort((short) properties.length)
                    .put(properties);
        }
        return sendFields(RequestCodes.SEND_BATCH_MESSAGE, topic, queueId, queues)
                .with("m", "true")
                .withBody(items.array());
    }

    private static Command sendFields(int code, String topic, int queueId, int queues) {
        return Command.request(code)
                .with("a", "producers")
                .with("b", topic)
                .with("c", "TBW102")
                .with("d", Integer.toString(queues))
                .with("e", Integer.toString(queueId))
                .with("f", "0")
                .with("g", "1767225600000")
                .with("h", "0")
                .with("i", "");
    }

    /// The same with long names, as code 10.
    static Command sendLong(String topic, int queueId, int queues, String key, byte[] body) {
        return Command.request(RequestCodes.SEND_MESSAGE)
                .with(FieldNames.PRODUCER_GROUP, "producers")
                .with(FieldNames.TOPIC, topic)
                .with(FieldNames.DEFAULT_TOPIC, "TBW102")
                .with(FieldNames.DEFAULT_TOPIC_QUEUE_NUMS, queues)
                .with(FieldNames.QUEUE_ID, queueId)
                .with(FieldNames.SYS_FLAG, 0)
                .with(FieldNames.BORN_TIMESTAMP, 1_767_225_600_000L)
                .with(FieldNames.FLAG, 0)
                .with(FieldNames.PROPERTIES, keyed(key))
                .withBody(body);
    }

    /// @param progress rides on the pull as the group's offset; -1 for none
    static Command deleteTopic(String topic) {
        return Command.request(RequestCodes.DELETE_TOPIC_IN_BROKER).with(FieldNames.TOPIC, topic);
    }

    static Command pull(String group, String topic, int queueId, long offset, long progress, long suspendMillis) {
        int flags = PullFlags.SUSPEND | PullFlags.SUBSCRIPTION | (progress >= 0 ? PullFlags.COMMIT_OFFSET : 0);
        return Command.request(RequestCodes.PULL_MESSAGE)
                .with(FieldNames.CONSUMER_GROUP, group)
                .with(FieldNames.TOPIC, topic)
                .with(FieldNames.QUEUE_ID, queueId)
                .with(FieldNames.QUEUE_OFFSET, offset)
                .with(FieldNames.MAX_MSG_NUMS, 32)
                .with(FieldNames.SYS_FLAG, flags)
                .with(FieldNames.COMMIT_OFFSET, Math.max(progress, 0))
                .with(FieldNames.SUSPEND_TIMEOUT_MILLIS, suspendMillis)
                .with(FieldNames.SUBSCRIPTION, "*")
                .with(FieldNames.SUB_VERSION, 0);
    }

    static Command commit(String group, String topic, int queueId, long offset) {
        return Command.request(RequestCodes.UPDATE_CONSUMER_OFFSET)
                .with(FieldNames.CONSUMER_GROUP, group)
                .with(FieldNames.TOPIC, topic)
                .with(FieldNames.QUEUE_ID, queueId)
                .with(FieldNames.COMMIT_OFFSET, offset);
    }

    static Command query(String group, String topic, int queueId) {
        return Command.request(RequestCodes.QUERY_CONSUMER_OFFSET)
                .with(FieldNames.CONSUMER_GROUP, group)
                .with(FieldNames.TOPIC, topic)
                .with(FieldNames.QUEUE_ID, queueId)
                .with(FieldNames.SET_ZERO_IF_NOT_FOUND, false);
    }

    static Command consumerHeartbeat(String clientId, String group, String topic) {
        ConsumerMembership member = new ConsumerMembership(
                group,
                ConsumeType.CONSUME_PASSIVELY,
                MessageModel.CLUSTERING,
                ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET,
                List.of(Subscription.byTags(topic, "*", 1)),
                false);
        return Command.request(RequestCodes.HEART_BEAT)
                .withBody(new Heartbeat(clientId, List.of(), List.of(member), 0, false).toBytes());
    }

    static Command producerHeartbeat(String clientId) {
        return Command.request(RequestCodes.HEART_BEAT)
                .withBody(new Heartbeat(clientId, List.of(new ProducerMembership("producers")), List.of(), 0, false)
                        .toBytes());
    }

    static byte[] body(String key, int padding) {
        byte[] body = new byte[key.length() + 1 + padding];
        byte[] start = (key + "|").getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(start, 0, body, 0, start.length);
        for (int i = start.length; i < body.length; i++) {
            body[i] = (byte) ('a' + i % 26);
        }
        return body;
    }
}
