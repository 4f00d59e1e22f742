package gantry.broker.group;

import gantry.base.Clock;
import gantry.base.Directory;
import gantry.base.Image;
import gantry.base.Link;
import gantry.base.Offload;
import gantry.base.Sequencer;
import gantry.broker.facts.Fact;
import gantry.broker.facts.FactLog;
import gantry.broker.topic.Topic;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Finds the shard of a group and submits commands to it.
///
/// For:   the way into group state from any thread.
/// Owner: none; each shard owns its own state.
/// Never: state of its own.
public final class Groups {
    /// How many groups' states can be worked on at once.
    public static final int SHARDS = 8;

    private final GroupShard[] shards = new GroupShard[SHARDS];
    private final Directory<String, ConsumerGroup> faces = new Directory<>();
    private final Clock clock;
    private final Image<Boolean> leads = new Image<>(true);

    public Groups(FactLog facts, Clock clock, Offload offload, Sequencer.Faults faults) {
        this.clock = clock;
        for (int i = 0; i < SHARDS; i++) {
            shards[i] = new GroupShard(new Sequencer("groups-" + i, offload, faults), facts, faces);
        }
    }

    /// A group that is known because it consumed or has offsets.
    public @Nullable ConsumerGroup find(String group) {
        return faces.find(group);
    }

    /// @return false when the shard is too busy to take the command
    boolean submit(String group, Consumer<GroupShard> command) {
        GroupShard shard = shardOf(group);
        return shard.sequencer().submit(() -> command.accept(shard));
    }

    void submitAlways(String group, Consumer<GroupShard> command) {
        GroupShard shard = shardOf(group);
        shard.sequencer().submitAlways(() -> command.accept(shard));
    }

    /// Progress that rides on a pull; dropped when the shard is too busy, the next pull carries it again.
    public void progress(String group, Topic topic, int queueId, long offset) {
        if (!leads.read()) {
            return;
        }
        submit(group, shard -> {
            if (!topic.isGone()) {
                shard.progress(group, topic.name(), queueId, offset);
            }
        });
    }

    /// Tells `told` whether a client of the group holds an unexpired queue lock.
    public boolean whetherLocked(String group, Consumer<Boolean> told) {
        return submit(group, shard -> told.accept(shard.holdsLiveLocks(group, clock.nanos())));
    }

    public void linkClosed(Link link) {
        toAll(shard -> shard.linkClosed(link));
    }

    public void tick() {
        long now = clock.nanos();
        boolean handsOver = leads.read();
        toAll(shard -> shard.tick(now, handsOver));
    }

    /// Nothing is committed here until `lead` says so: another member's log is followed.
    public void follow() {
        leads.publish(false);
    }

    public void lead() {
        leads.publish(true);
    }

    /// Every committed offset is handed to the log once more.
    public void restate() {
        toAll(GroupShard::restate);
    }

    /// At start, for each fact of the log.
    public void restore(Fact.Offsets fact) {
        submitAlways(fact.group(), shard -> shard.restore(fact));
    }

    public void forgetTopic(String topic) {
        toAll(shard -> shard.forgetTopic(topic));
    }

    /// At start; see `Fact.OffsetsGone`.
    public void forgetTopic(String group, String topic) {
        submitAlways(group, shard -> shard.forgetTopic(group, topic));
    }

    public void forgetGroup(String group) {
        submitAlways(group, shard -> shard.forgetGroup(group));
    }

    /// Gathers all offsets that were handed to the log, one shard after the other: at least every fact that was
    /// confirmed when this was called.
    public void gatherOffsets(Consumer<Map<String, SortedMap<Integer, Long>>> told) {
        gatherFrom(0, new TreeMap<>(), told);
    }

    /// The same at once, waiting for each shard; for opening and closing.
    public Map<String, SortedMap<Integer, Long>> offsetsNow() {
        Map<String, SortedMap<Integer, Long>> all = new TreeMap<>();
        for (GroupShard shard : shards) {
            shard.sequencer().runAndWait(() -> shard.gatherOffsets(all));
        }
        return all;
    }

    /// Hands every commit to the log that no fact carries yet; for closing.
    public void settle() {
        if (!leads.read()) {
            return;
        }
        for (GroupShard shard : shards) {
            shard.sequencer().runAndWait(shard::handOver);
        }
    }

    private void gatherFrom(
            int index,
            Map<String, SortedMap<Integer, Long>> all,
            Consumer<Map<String, SortedMap<Integer, Long>>> told) {
        if (index == SHARDS) {
            told.accept(all);
            return;
        }
        GroupShard shard = shards[index];
        shard.sequencer().submitAlways(() -> {
            shard.gatherOffsets(all);
            shard.sequencer().after(() -> gatherFrom(index + 1, all, told));
        });
    }

    private void toAll(Consumer<GroupShard> command) {
        for (GroupShard shard : shards) {
            shard.sequencer().submitAlways(() -> command.accept(shard));
        }
    }

    private GroupShard shardOf(String group) {
        int hash = group.hashCode();
        return shards[(hash ^ (hash >>> 16)) & (SHARDS - 1)];
    }
}
