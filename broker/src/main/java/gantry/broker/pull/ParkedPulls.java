package gantry.broker.pull;

import gantry.base.Clock;
import gantry.base.Link;
import gantry.base.Offload;
import gantry.base.Sequencer;
import gantry.base.Tally;
import gantry.store.ConsumeQueue;
import gantry.store.QueueListener;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Where pulls wait until their queue grows.
///
/// For:   long polling without a thread or a timer per pull.
/// Owner: one sequencer per shard; a queue belongs to one shard.
/// Never: reads messages; it hands a pull back to whoever parked it.
/// Holds: PARK-1 a pull that is parked while its queue grows is woken, because the queue is marked as watched first and
///        looked at after.
public final class ParkedPulls implements QueueListener {
    static final int SHARDS = 4;

    /// More pulls than this do not wait in one shard: they are answered at once.
    static final int MOST_PARKED_PER_SHARD = 50_000;

    private static final class Shard {
        private final Sequencer sequencer;
        private final Map<ConsumeQueue, List<ParkedPull>> byQueue = new LinkedHashMap<>();
        private int count;

        Shard(Sequencer sequencer) {
            this.sequencer = sequencer;
        }
    }

    private final Shard[] shards = new Shard[SHARDS];
    private final Clock clock;
    private final Tally parked = new Tally();

    public ParkedPulls(Clock clock, Offload offload, Sequencer.Faults faults) {
        this.clock = clock;
        for (int i = 0; i < SHARDS; i++) {
            shards[i] = new Shard(new Sequencer("parked-pulls-" + i, offload, faults));
        }
    }

    public long parked() {
        return parked.read();
    }

    /// Keeps the pull until `ParkedPull.owner` can go on with it; at once when no more can wait.
    void park(ParkedPull pull) {
        Shard shard = shardOf(pull.queue());
        boolean taken = shard.sequencer.submit(() -> {
            if (shard.count >= MOST_PARKED_PER_SHARD) {
                shard.sequencer.after(() -> pull.owner().expired(pull));
                return;
            }
            pull.queue().watched().publish(true);
            if (pull.queue().maxOffset() > pull.from() || pull.queue().isDropped()) {
                shard.sequencer.after(() -> pull.owner().grown(pull));
                return;
            }
            shard.byQueue.computeIfAbsent(pull.queue(), q -> new ArrayList<>(2)).add(pull);
            shard.count++;
            parked.increment();
        });
        if (!taken) {
            pull.owner().expired(pull);
        }
    }

    @Override
    public void grown(ConsumeQueue queue) {
        Shard shard = shardOf(queue);
        shard.sequencer.submitAlways(() -> {
            List<ParkedPull> waiting = shard.byQueue.remove(queue);
            queue.watched().publish(false);
            if (waiting != null) {
                leave(shard, waiting.size());
                shard.sequencer.after(() -> waiting.forEach(pull -> pull.owner().grown(pull)));
            }
        });
    }

    public void tick() {
        long now = clock.nanos();
        for (Shard shard : shards) {
            shard.sequencer.submitAlways(() -> expire(shard, now));
        }
    }

    private void expire(Shard shard, long now) {
        List<ParkedPull> over = new ArrayList<>();
        for (Iterator<Map.Entry<ConsumeQueue, List<ParkedPull>>> queues =
                        shard.byQueue.entrySet().iterator();
                queues.hasNext(); ) {
            Map.Entry<ConsumeQueue, List<ParkedPull>> queue = queues.next();
            queue.getValue().removeIf(pull -> {
                boolean isOver = now - pull.deadlineNanos() >= 0;
                if (isOver) {
                    over.add(pull);
                }
                return isOver;
            });
            if (queue.getValue().isEmpty()) {
                queue.getKey().watched().publish(false);
                queues.remove();
            }
        }
        if (!over.isEmpty()) {
            leave(shard, over.size());
            shard.sequencer.after(() -> over.forEach(pull -> pull.owner().expired(pull)));
        }
    }

    /// A link is gone: what waited for it need not wait any more.
    public void linkClosed(Link link) {
        for (Shard shard : shards) {
            shard.sequencer.submitAlways(() -> {
                int before = shard.count;
                int[] left = new int[1];
                shard.byQueue.values().removeIf(pulls -> {
                    pulls.removeIf(pull -> pull.request().link().id() == link.id());
                    left[0] += pulls.size();
                    return pulls.isEmpty();
                });
                leave(shard, before - left[0]);
            });
        }
    }

    private void leave(Shard shard, int pulls) {
        shard.count -= pulls;
        parked.add(-pulls);
    }

    private Shard shardOf(ConsumeQueue queue) {
        int hash = queue.topic().hashCode() + queue.queueId();
        return shards[(hash ^ (hash >>> 16)) & (SHARDS - 1)];
    }
}
