package gantry.client.produce;

import gantry.client.call.CallFailed;
import gantry.wire.frame.ResponseCodes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// One message on its way, from `send` to its receipt.
///
/// For:   the lanes of `Sends`.
/// Owner: the send sequencer, but for the future, which completes once.
final class Outgoing {
    /// Sentences about failed tries that are kept; later ones only count.
    private static final int MOST_SENTENCES = 4;

    final Message message;
    final String messageId;
    final byte[] properties;
    final long bornMillis;
    final Duration limit;
    final long deadlineNanos;
    final CompletableFuture<SendReceipt> receipt = new CompletableFuture<>();
    private final List<String> failures = new ArrayList<>(0);
    private int tries;
    private int lastCode = CallFailed.NO_ANSWER;
    /// It shares no request: one that it shared was refused, perhaps because of it.
    boolean alone;

    Outgoing(
            Message message, String messageId, byte[] properties, long bornMillis, Duration limit, long deadlineNanos) {
        this.message = message;
        this.messageId = messageId;
        this.properties = properties;
        this.bornMillis = bornMillis;
        this.limit = limit;
        this.deadlineNanos = deadlineNanos;
        this.alone = !message.mayShare();
    }

    void failed(String sentence, int code) {
        tries++;
        lastCode = code;
        if (failures.size() < MOST_SENTENCES) {
            failures.add(sentence);
        }
    }

    boolean isLate(long nowNanos) {
        return deadlineNanos - nowNanos <= 0;
    }

    /// What the sender is told when its time is over.
    CallFailed late() {
        String tried = failures.isEmpty()
                ? "it was not tried: no broker that takes it is known, or all are busy"
                : "tried " + tries + " times: " + String.join("; ", failures) + (tries > failures.size() ? "; …" : "");
        String stored = lastCode == CallFailed.NO_ANSWER && tries > 0 ? " (it may be stored all the same)" : "";
        return new CallFailed(
                "the message to \"" + message.topic() + "\" was not confirmed within " + limit.toMillis() + " ms"
                        + stored + ", " + tried,
                tries == 0 ? ResponseCodes.TOPIC_NOT_EXIST : lastCode);
    }
}
