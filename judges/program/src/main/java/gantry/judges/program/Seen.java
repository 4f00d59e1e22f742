package gantry.judges.program;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.rocketmq.common.message.MessageConst;
import org.apache.rocketmq.common.message.MessageExt;

/// Tells of a message that a consumer was given.
///
/// For:   one `got` line with everything that a test may ask about, its body checked here.
/// Owner: one role.
/// Never: the body itself.
final class Seen {
    private static final Set<String> ADDED_BY_PULLING =
            Set.of(MessageConst.PROPERTY_MIN_OFFSET, MessageConst.PROPERTY_MAX_OFFSET);

    private Seen() {}

    static void tell(Report report, MessageExt message) {
        String tag = message.getTags();
        String index = message.getUserProperty("judgeIndex");
        report.tell(
                "got",
                "key",
                message.getKeys(),
                "index",
                index == null ? "" : index,
                "topic",
                message.getTopic(),
                "queue",
                message.getQueueId(),
                "offset",
                message.getQueueOffset(),
                "tag",
                tag == null ? "" : tag,
                "redeliveries",
                message.getReconsumeTimes(),
                "uniqueKey",
                message.getMsgId(),
                "storeMillis",
                message.getStoreTimestamp(),
                "bornMillis",
                message.getBornTimestamp(),
                "flags",
                message.getFlag() + "/" + message.getSysFlag(),
                "properties",
                properties(message),
                "body",
                Body.isOf(message.getKeys(), message.getBody()) ? "whole" : "damaged");
    }

    /// One number for all properties, without those that the client adds when it pulls.
    private static String properties(MessageExt message) {
        Map<String, String> stored = new TreeMap<>(message.getProperties());
        stored.keySet().removeAll(ADDED_BY_PULLING);
        return Integer.toHexString(stored.hashCode());
    }
}
