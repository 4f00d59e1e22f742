package gantry.client.produce;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Messages of one topic that wait for a request to share.
///
/// For:   gathering what cannot leave yet, so that the next request carries all of it.
/// Owner: the send sequencer.
/// Holds: LANE-1 messages leave in the order in which they came; those whose request failed go back to the front.
final class Lane {
    /// Messages of one request.
    static final int MOST_MESSAGES = 256;

    /// Bytes of one request with several messages; a larger message goes alone.
    static final int MOST_BYTES = 256 * 1024;

    final String topic;
    /// Of an ordered lane: the key whose messages it carries goes to one queue of all.
    final @Nullable Integer slot;

    private final Deque<Outgoing> waiting = new ArrayDeque<>();
    int inFlight;
    long notBeforeNanos;
    boolean pausing;
    int failures;

    Lane(String topic, @Nullable Integer slot) {
        this.topic = topic;
        this.slot = slot;
    }

    boolean isOrdered() {
        return slot != null;
    }

    boolean isIdle() {
        return waiting.isEmpty() && inFlight == 0;
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    void add(Outgoing one) {
        waiting.addLast(one);
    }

    /// What the next request carries: one message, or as many as may share it.
    List<Outgoing> take() {
        List<Outgoing> taken = new ArrayList<>(Math.min(waiting.size(), MOST_MESSAGES));
        int bytes = 0;
        while (!waiting.isEmpty() && taken.size() < MOST_MESSAGES) {
            Outgoing next = waiting.getFirst();
            bytes += SendRequests.itemBytes(next);
            if (!taken.isEmpty() && (next.alone || bytes > MOST_BYTES)) {
                break;
            }
            taken.add(waiting.removeFirst());
            if (next.alone) {
                break;
            }
        }
        return taken;
    }

    void putBack(List<Outgoing> messages) {
        for (int i = messages.size() - 1; i >= 0; i--) {
            waiting.addFirst(messages.get(i));
        }
    }

    /// Removes and returns those whose time is over.
    List<Outgoing> takeLate(long nowNanos) {
        List<Outgoing> late = new ArrayList<>(0);
        for (Outgoing each : waiting) {
            if (each.isLate(nowNanos)) {
                late.add(each);
            }
        }
        if (!late.isEmpty()) {
            waiting.removeAll(late);
        }
        return late;
    }
}
