package gantry.client.pull;

import gantry.client.call.CallFailed;
import gantry.client.pull.SimplePuller.Queue;
import gantry.wire.message.Check;
import gantry.wire.message.PropertyNames;
import gantry.wire.message.RecordView;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A message as it came from a broker.
///
/// For:   what `SimplePuller` gives.
/// Owner: none (immutable; the body's array is shared and must not be changed).
/// Never: bytes that were not checked.
public final class PulledMessage {
    private final Queue queue;
    private final long queueOffset;
    private final long logOffset;
    private final long bornMillis;
    private final long storeMillis;
    private final int redeliveries;
    private final Map<String, String> properties;
    private final byte[] body;

    private PulledMessage(Queue queue, RecordView record, byte[] body) {
        this.queue = queue;
        this.queueOffset = record.queueOffset();
        this.logOffset = record.logOffset();
        this.bornMillis = record.bornMillis();
        this.storeMillis = record.storeMillis();
        this.redeliveries = record.redeliveries();
        this.properties = Map.copyOf(record.properties().toMap());
        this.body = body;
    }

    /// All messages of a pull's answer.
    ///
    /// @throws CallFailed when one is damaged, or compressed in a way that cannot be undone here
    public static List<PulledMessage> readAll(Queue queue, byte[] bytes) throws CallFailed {
        List<PulledMessage> messages = new ArrayList<>();
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        RecordView record = new RecordView();
        for (int at = 0; at < bytes.length; at += record.size()) {
            Check check = record.wrap(buffer, at, bytes.length, true);
            if (check != Check.OK) {
                throw new CallFailed(
                        "the answer of " + queue.address() + " brought a damaged message (" + check + " at byte " + at
                                + " of " + bytes.length + ")",
                        CallFailed.NO_ANSWER);
            }
            messages.add(new PulledMessage(queue, record, Inflated.body(queue, record)));
        }
        return messages;
    }

    public Queue queue() {
        return queue;
    }

    public long queueOffset() {
        return queueOffset;
    }

    public long logOffset() {
        return logOffset;
    }

    public long bornMillis() {
        return bornMillis;
    }

    public long storeMillis() {
        return storeMillis;
    }

    /// How often it has been given to its group before.
    public int redeliveries() {
        return redeliveries;
    }

    public Map<String, String> properties() {
        return properties;
    }

    /// The name that its sender gave it; null when it has none.
    public @Nullable String messageId() {
        return properties.get(PropertyNames.UNIQ_KEY.text());
    }

    public @Nullable String tags() {
        return properties.get(PropertyNames.TAGS.text());
    }

    public @Nullable String keys() {
        return properties.get(PropertyNames.KEYS.text());
    }

    /// As the sender gave it; shared, never to be changed.
    public byte[] body() {
        return body;
    }
}
