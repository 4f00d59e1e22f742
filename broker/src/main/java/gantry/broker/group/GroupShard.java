package gantry.broker.group;

import gantry.base.Directory;
import gantry.base.Link;
import gantry.base.Sequencer;
import gantry.broker.append.Outcome;
import gantry.broker.facts.Fact;
import gantry.broker.facts.FactLog;
import gantry.broker.session.Refusals;
import gantry.broker.session.Reply;
import gantry.store.Refusal;
import gantry.wire.body.ConsumerList;
import gantry.wire.body.ConsumerMembership;
import gantry.wire.body.ConsumerOffsets;
import gantry.wire.body.LockAnswer;
import gantry.wire.body.LockRequest;
import gantry.wire.body.MessageQueueRef;
import gantry.wire.frame.Codec;
import gantry.wire.frame.FieldNames;
import gantry.wire.frame.FrameFlags;
import gantry.wire.frame.FrameWriter;
import gantry.wire.frame.RequestCodes;
import gantry.wire.frame.ResponseCodes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// All groups whose name hashes to this shard: members, offsets, locks.
///
/// For:   one writer for everything that belongs to a group.
/// Owner: its sequencer; every method but the constructor starts with `requireInside`.
/// Never: waits; what has to be durable first is answered from the fact's outcome.
final class GroupShard {
    private static final class Group {
        private final ConsumerGroup face;
        private final Membership consumers = new Membership();
        private final OffsetTable offsets = new OffsetTable();
        private final QueueLocks locks = new QueueLocks();
        private boolean notifiesMembers = true;

        Group(String name) {
            this.face = new ConsumerGroup(name);
        }
    }

    private final Sequencer sequencer;
    private final FactLog facts;
    private final Directory<String, ConsumerGroup> faces;
    private final Map<String, Group> groups = new LinkedHashMap<>();
    private final Map<String, Membership> producers = new LinkedHashMap<>();
    private final Map<Long, Set<String>> groupsOfLink = new LinkedHashMap<>();

    GroupShard(Sequencer sequencer, FactLog facts, Directory<String, ConsumerGroup> faces) {
        this.sequencer = sequencer;
        this.facts = facts;
        this.faces = faces;
    }

    Sequencer sequencer() {
        return sequencer;
    }

    /// Offsets that were handed to the log: `topic@group` → queue → offset.
    void gatherOffsets(Map<String, SortedMap<Integer, Long>> into) {
        sequencer.requireInside();
        groups.forEach((name, group) -> group.offsets
                .handedOffsets()
                .forEach((topic, offsets) -> into.put(ConsumerOffsets.key(topic, name), new TreeMap<>(offsets))));
    }

    void heardProducer(String group, String clientId, Link link, int version, long nowNanos) {
        sequencer.requireInside();
        producers.computeIfAbsent(group, g -> new Membership()).heard(clientId, link, version, nowNanos);
        remember(link, group);
    }

    void heardConsumer(ConsumerMembership consumer, String clientId, Link link, int version, long nowNanos) {
        sequencer.requireInside();
        Group group = group(consumer.group());
        boolean changed = group.consumers.heard(clientId, link, version, nowNanos);
        changed |= group.consumers.subscribe(consumer.subscriptions());
        group.face.publish(group.consumers.subscriptions());
        remember(link, consumer.group());
        if (changed) {
            notifyMembers(group);
        }
    }

    void leave(String group, String clientId, boolean asConsumer) {
        sequencer.requireInside();
        if (!asConsumer) {
            Membership members = producers.get(group);
            if (members != null && members.leave(clientId) && members.isEmpty()) {
                producers.remove(group);
            }
            return;
        }
        Group known = groups.get(group);
        if (known != null && known.consumers.leave(clientId)) {
            notifyMembers(known);
        }
    }

    void linkClosed(Link link) {
        sequencer.requireInside();
        Set<String> names = groupsOfLink.remove(link.id());
        if (names == null) {
            return;
        }
        for (String name : names) {
            Membership members = producers.get(name);
            if (members != null && members.linkClosed(link) && members.isEmpty()) {
                producers.remove(name);
            }
            Group group = groups.get(name);
            if (group != null && group.consumers.linkClosed(link)) {
                notifyMembers(group);
            }
        }
    }

    /// @param handsOver whether this broker writes facts now
    void tick(long nowNanos, boolean handsOver) {
        sequencer.requireInside();
        producers.values().removeIf(members -> members.expire(nowNanos) && members.isEmpty());
        for (Group group : groups.values()) {
            if (group.consumers.expire(nowNanos)) {
                notifyMembers(group);
            }
        }
        if (handsOver) {
            handOver();
        }
    }

    /// Gives the log every commit that no fact carries yet.
    void handOver() {
        sequencer.requireInside();
        for (Group group : groups.values()) {
            group.offsets.unhanded().forEach((topic, offsets) -> hand(group, topic, offsets, refusal -> {}));
        }
    }

    void listConsumers(String group, Reply reply) {
        sequencer.requireInside();
        Group known = groups.get(group);
        if (known == null || known.consumers.isEmpty()) {
            reply.answer(
                    ResponseCodes.SYSTEM_ERROR,
                    "no consumer of group \"" + group
                            + "\" is connected to this broker: start one, or check the group name");
            return;
        }
        reply.answer(ResponseCodes.SUCCESS, new ConsumerList(known.consumers.clientIds()).toBytes());
    }

    void lock(LockRequest request, Reply reply, long nowNanos) {
        sequencer.requireInside();
        Group group = group(request.group());
        List<MessageQueueRef> taken = new ArrayList<>();
        for (MessageQueueRef queue : request.queues()) {
            if (group.locks.take(queue, request.clientId(), nowNanos)) {
                taken.add(queue);
            }
        }
        reply.answer(ResponseCodes.SUCCESS, new LockAnswer(taken).toBytes());
    }

    void unlock(LockRequest request, Reply reply) {
        sequencer.requireInside();
        Group group = groups.get(request.group());
        if (group != null) {
            for (MessageQueueRef queue : request.queues()) {
                group.locks.release(queue, request.clientId());
            }
        }
        reply.succeed();
    }

    boolean holdsLiveLocks(String group, long nowNanos) {
        sequencer.requireInside();
        Group known = groups.get(group);
        return known != null && known.locks.anyLive(nowNanos);
    }

    /// A client's own commit: answered when the log carries it.
    void commit(String groupName, String topic, int queueId, long offset, Reply reply) {
        sequencer.requireInside();
        Group group = group(groupName);
        group.offsets.commit(topic, queueId, offset);
        hand(group, topic, Map.of(queueId, offset), refusal -> {
            if (refusal == null) {
                reply.succeed();
            } else {
                reply.answer(Refusals.codeOf(refusal), refusal.remark());
            }
        });
    }

    /// Progress that rides on a pull: carried by the next tick's fact.
    void progress(String groupName, String topic, int queueId, long offset) {
        sequencer.requireInside();
        group(groupName).offsets.progress(topic, queueId, offset);
    }

    /// Shows a committed offset, once the log carries it; −1 when the group never committed one here.
    void query(String groupName, String topic, int queueId, LongConsumer shown, Outcome failed) {
        sequencer.requireInside();
        Group group = groups.get(groupName);
        OptionalLong wanted = group == null ? OptionalLong.empty() : group.offsets.wanted(topic, queueId);
        if (group == null || wanted.isEmpty()) {
            shown.accept(-1);
            return;
        }
        long offset = wanted.getAsLong();
        if (group.offsets.isLogged(topic, queueId)) {
            shown.accept(offset);
            return;
        }
        hand(group, topic, Map.of(queueId, offset), refusal -> {
            if (refusal == null) {
                shown.accept(offset);
            } else {
                failed.done(refusal);
            }
        });
    }

    void restore(Fact.Offsets fact) {
        sequencer.requireInside();
        Group group = group(fact.group());
        fact.offsets().forEach((queueId, offset) -> group.offsets.restore(fact.topic(), queueId, offset));
    }

    /// The next ticks hand over every offset.
    void restate() {
        sequencer.requireInside();
        groups.values().forEach(group -> group.offsets.handAgain());
    }

    void forgetTopic(String topic) {
        sequencer.requireInside();
        groups.values().forEach(group -> group.offsets.forgetTopic(topic));
    }

    void forgetTopic(String name, String topic) {
        sequencer.requireInside();
        Group group = groups.get(name);
        if (group != null) {
            group.offsets.forgetTopic(topic);
        }
    }

    /// An operator's wish: what the group has consumed of one topic is not remembered any more.
    void cleanTopic(String name, String topic, Outcome outcome) {
        forgetTopic(name, topic);
        facts.append(new Fact.OffsetsGone(name, topic), outcome);
    }

    void forgetGroup(String name) {
        sequencer.requireInside();
        groups.remove(name);
        faces.remove(name);
    }

    void notifiesMembers(String name, boolean notifies) {
        sequencer.requireInside();
        group(name).notifiesMembers = notifies;
    }

    private void hand(Group group, String topic, Map<Integer, Long> offsets, Outcome outcome) {
        offsets.forEach((queueId, offset) -> group.offsets.handed(topic, queueId, offset));
        facts.append(
                new Fact.Offsets(group.face.name(), topic, offsets),
                refusal -> sequencer.submitAlways(() -> settled(group, topic, offsets, refusal, outcome)));
    }

    private void settled(
            Group group, String topic, Map<Integer, Long> offsets, @Nullable Refusal refusal, Outcome outcome) {
        offsets.forEach((queueId, offset) -> {
            if (refusal == null) {
                group.offsets.logged(topic, queueId, offset);
            } else if (refusal.kind() != Refusal.Kind.LATE) {
                // What is late stands in the log.
                group.offsets.notTaken(topic, queueId);
            }
        });
        outcome.done(refusal);
    }

    private Group group(String name) {
        Group known = groups.get(name);
        if (known == null) {
            known = new Group(name);
            groups.put(name, known);
            faces.put(name, known.face);
        }
        return known;
    }

    private void remember(Link link, String group) {
        groupsOfLink.computeIfAbsent(link.id(), l -> new LinkedHashSet<>()).add(group);
    }

    private static void notifyMembers(Group group) {
        if (!group.notifiesMembers) {
            return;
        }
        FrameWriter writer = new FrameWriter();
        writer.begin(Codec.JSON, RequestCodes.NOTIFY_CONSUMER_IDS_CHANGED, FrameFlags.ONEWAY, 0);
        writer.field(FieldNames.CONSUMER_GROUP, group.face.name());
        writer.end(0);
        for (Membership.Member member : group.consumers.all()) {
            member.link().send(writer.bytes(), 0, writer.size());
        }
    }
}
