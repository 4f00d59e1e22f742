package gantry.ops.cli;

import gantry.base.Endpoint;
import gantry.client.call.CallFailed;
import gantry.client.pull.PulledMessage;
import gantry.client.pull.SimplePuller;
import gantry.wire.message.Check;
import gantry.wire.message.OffsetMessageId;
import gantry.wire.message.RecordView;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Stored messages as the query commands show them, one row each.
///
/// For:   everything that a broker knows about a message.
/// Owner: one command.
/// Never: a message that is damaged: it says so instead.
final class Found {
    private static final String[] HEADINGS = {
        "offsetID",
        "msgId",
        "topic",
        "broker",
        "queueId",
        "queueOffset",
        "commitLogOffset",
        "tags",
        "keys",
        "stored",
        "born",
        "bornHost",
        "storeHost",
        "reconsumeTimes",
        "sysFlag",
        "properties",
        "body"
    };

    private final Table table = new Table(HEADINGS);
    private int count;

    /// How many messages it holds.
    int count() {
        return count;
    }

    Table table() {
        return table;
    }

    /// Adds every message of an answer's body.
    void add(Endpoint from, String brokerName, byte[] records) throws CallFailed {
        RecordView record = new RecordView();
        ByteBuffer bytes = ByteBuffer.wrap(records);
        for (int at = 0; at < records.length; at += record.size()) {
            Check check = record.wrap(bytes, at, records.length, true);
            if (check != Check.OK) {
                throw CallFailed.because(from + " answered with a damaged message (" + check + " at byte " + at + " of "
                        + records.length + ")");
            }
            SimplePuller.Queue queue = new SimplePuller.Queue(from, record.topic(), brokerName, record.queueId());
            byte[] one = Arrays.copyOfRange(records, at, at + record.size());
            add(record, PulledMessage.readAll(queue, one).get(0));
        }
    }

    private void add(RecordView record, PulledMessage message) {
        table.row(
                new OffsetMessageId(record.storeHost(), record.logOffset()).text(),
                orEmpty(message.messageId()),
                record.topic(),
                message.queue().brokerName(),
                record.queueId(),
                record.queueOffset(),
                record.logOffset(),
                orEmpty(message.tags()),
                orEmpty(message.keys()),
                Instant.ofEpochMilli(record.storeMillis()),
                Instant.ofEpochMilli(record.bornMillis()),
                record.bornHost(),
                record.storeHost(),
                record.redeliveries(),
                record.flags(),
                message.properties(),
                new String(message.body(), StandardCharsets.UTF_8));
        count++;
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
