package gantry.broker.group;

import gantry.wire.body.MessageQueueRef;
import java.util.HashMap;
import java.util.Map;

/// Which client of one consumer group may consume which queue in order (messages.md §12).
///
/// For:   at most one orderly consumer per queue at a time.
/// Owner: the shard of its group.
/// Never: durable; a restarted broker knows no locks, and clients renew theirs every 20 s.
final class QueueLocks {
    /// A lock that is not renewed for this long may be taken by another client.
    static final long EXPIRY_NANOS = 60_000_000_000L;

    private record Held(String clientId, long renewedNanos) {}

    private final Map<MessageQueueRef, Held> held = new HashMap<>();

    /// Takes or renews the lock.
    ///
    /// @return whether `clientId` holds it now
    boolean take(MessageQueueRef queue, String clientId, long nowNanos) {
        Held now = held.get(queue);
        if (now != null && !now.clientId.equals(clientId) && nowNanos - now.renewedNanos < EXPIRY_NANOS) {
            return false;
        }
        held.put(queue, new Held(clientId, nowNanos));
        return true;
    }

    void release(MessageQueueRef queue, String clientId) {
        Held now = held.get(queue);
        if (now != null && now.clientId.equals(clientId)) {
            held.remove(queue);
        }
    }

    boolean anyLive(long nowNanos) {
        for (Held lock : held.values()) {
            if (nowNanos - lock.renewedNanos < EXPIRY_NANOS) {
                return true;
            }
        }
        return false;
    }
}
