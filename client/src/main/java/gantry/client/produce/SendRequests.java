package gantry.client.produce;

import gantry.base.Endpoint;
import gantry.client.call.Answers;
import gantry.client.call.CallFailed;
import gantry.client.produce.PublishQueues.PublishQueue;
import gantry.client.route.Routes;
import gantry.wire.frame.Command;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.RequestCodes;
import gantry.wire.frame.ResponseCodes;
import gantry.wire.message.BatchItems;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Writes sends and reads what brokers answer to them (codes 310 and 320, remoting.md).
///
/// For:   one request for one message or for several of one topic.
/// Owner: none (stateless).
final class SendRequests {
    private SendRequests() {}

    static Command of(String group, PublishQueue queue, List<Outgoing> messages) {
        Outgoing first = messages.getFirst();
        boolean batch = messages.size() > 1;
        Command request = Command.request(batch ? RequestCodes.SEND_BATCH_MESSAGE : RequestCodes.SEND_MESSAGE_V2)
                .with("a", group)
                .with("b", first.message.topic())
                .with("c", Routes.DEFAULT_TOPIC)
                .with("d", Integer.toString(PublishQueues.DEFAULT_QUEUES))
                .with("e", Integer.toString(queue.queueId()))
                .with("f", "0")
                .with("g", Long.toString(first.bornMillis))
                .with("h", "0")
                .with("j", "0")
                .with("k", "false")
                .with("m", Boolean.toString(batch))
                .with("n", queue.brokerName());
        if (!batch) {
            return request.with("i", new String(first.properties, StandardCharsets.UTF_8))
                    .withBody(first.message.body());
        }
        int size = 0;
        for (Outgoing each : messages) {
            size += itemBytes(each);
        }
        ByteBuffer body = ByteBuffer.allocate(size);
        for (Outgoing each : messages) {
            BatchItems.write(body, each.message.body(), each.properties);
        }
        return request.with("i", "WAIT\u0001true\u0002").withBody(body.array());
    }

    static int itemBytes(Outgoing one) {
        return BatchItems.size(one.message.body().length, one.properties.length);
    }

    /// What each message of the request is told.
    static List<SendReceipt> receipts(Endpoint from, PublishQueue queue, List<Outgoing> messages, Command answer)
            throws CallFailed {
        int queueId = (int) Answers.whole(from, answer, FieldNames.QUEUE_ID);
        long queueOffset = Answers.whole(from, answer, FieldNames.QUEUE_OFFSET);
        String[] names = answer.fieldOr(FieldNames.MSG_ID, "").split(",", -1);
        List<SendReceipt> receipts = new ArrayList<>(messages.size());
        for (int i = 0; i < messages.size(); i++) {
            Outgoing each = messages.get(i);
            receipts.add(new SendReceipt(
                    each.messageId,
                    i < names.length ? names[i] : "",
                    each.message.topic(),
                    queue.brokerName(),
                    queueId,
                    queueOffset + i,
                    answer.code() == ResponseCodes.SUCCESS));
        }
        return receipts;
    }

    /// Stored, but with these codes not as safely as the broker was told to.
    static boolean isStored(int code) {
        return code == ResponseCodes.SUCCESS
                || code == ResponseCodes.FLUSH_DISK_TIMEOUT
                || code == ResponseCodes.FLUSH_SLAVE_TIMEOUT
                || code == ResponseCodes.SLAVE_NOT_AVAILABLE;
    }

    /// Not stored, for a reason that another broker need not have, or that may pass.
    static boolean isWorthAnotherTry(int code) {
        return code == ResponseCodes.TOPIC_NOT_EXIST
                || code == ResponseCodes.SERVICE_NOT_AVAILABLE
                || code == ResponseCodes.SYSTEM_ERROR
                || code == ResponseCodes.SYSTEM_BUSY
                || code == ResponseCodes.NO_PERMISSION
                || code == ResponseCodes.NO_BUYER_ID
                || code == ResponseCodes.NOT_IN_CURRENT_UNIT
                || code == ResponseCodes.GO_AWAY;
    }
}
