package gantry.judges.program;

import org.apache.rocketmq.common.message.MessageExt;

/// Tells of a message that a consumer was given.
///
/// For:   one `got` line with everything that a test may ask about, its body checked here.
/// Owner: one role.
/// Never: the body itself.
final class Seen {
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
                "body",
                Body.isOf(message.getKeys(), message.getBody()) ? "whole" : "damaged");
    }
}
