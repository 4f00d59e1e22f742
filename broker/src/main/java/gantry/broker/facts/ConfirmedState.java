package gantry.broker.facts;

import gantry.base.Image;
import gantry.wire.body.ConsumerOffsets;
import gantry.wire.body.DataVersion;
import gantry.wire.body.SubscriptionGroup;
import gantry.wire.body.TopicConfig;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The state as the facts below one place of the log say it, and as nothing else does.
///
/// ```
///   facts queue   0 … folded … position ── advance ──▶ to      what a leader has begun and nobody has confirmed is
///                                                              in its log and in its topics, and never in here
/// ```
/// For:   a member of a group, whose files and copies must not hold what a loss of power can take out of its log.
/// Owner: whoever exports; one call at a time, on a thread that may wait for the disk.
/// Never: what is only in memory; the live topics and groups are for serving.
public final class ConfirmedState {
    private final FactLog facts;
    private final Predicate<String> given;
    private final SortedMap<String, TopicConfig> topics = new TreeMap<>();
    private final SortedMap<String, SubscriptionGroup> groups = new TreeMap<>();
    private final SortedMap<String, SortedMap<Integer, Long>> offsets = new TreeMap<>();
    private final SortedMap<Integer, Long> delay = new TreeMap<>();
    private long position;
    private long wholeFrom;
    private final Image<Optional<StateDigest.At>> newest = new Image<>(Optional.empty());

    /// @param given the topics that every broker has, of which no fact need speak
    public ConfirmedState(FactLog facts, Predicate<String> given) {
        this.facts = facts;
        this.given = given;
    }

    /// What was folded at start, when nothing was in memory but that.
    ///
    /// @param folded the facts below it are in there
    /// @param whole  facts below it may be in there as well: no digest is taken before they are folded
    public void begin(long folded, long whole, State start) {
        position = folded;
        wholeFrom = whole;
        know(start.topics());
        groups.putAll(start.groups());
        start.offsets().forEach((key, queues) -> offsets.put(key, new TreeMap<>(queues)));
        delay.putAll(start.delay());
    }

    /// Topics that every broker has, of which no fact speaks.
    public void know(Map<String, TopicConfig> reserved) {
        reserved.forEach(topics::putIfAbsent);
    }

    /// The facts below it are in here.
    public long position() {
        return position;
    }

    /// Takes in the facts below `to`, which are confirmed.
    ///
    /// @return what went wrong, or null
    public @Nullable String advance(long to) {
        if (to <= position) {
            return null;
        }
        try {
            facts.replay(position, (queueOffset, logEnd, fact) -> {
                if (queueOffset < to) {
                    take(fact);
                    if (fact instanceof Fact.StatePoint && queueOffset >= wholeFrom) {
                        newest.publish(Optional.of(new StateDigest.At(queueOffset, logEnd, digest())));
                    }
                    position = queueOffset + 1;
                }
                return queueOffset + 1 < to;
            });
            return null;
        } catch (FactLog.Unreadable e) {
            return e.getMessage();
        }
    }

    private void take(Fact fact) {
        switch (fact) {
            case Fact.TopicSet set -> topics.put(set.config().topic(), set.config());
            case Fact.TopicGone gone -> {
                topics.remove(gone.topic());
                offsets.keySet().removeIf(key -> key.startsWith(gone.topic() + ConsumerOffsets.SEPARATOR));
            }
            case Fact.GroupSet set -> groups.put(set.group().group(), set.group());
            case Fact.GroupGone gone -> {
                groups.remove(gone.group());
                offsets.keySet().removeIf(key -> key.endsWith(ConsumerOffsets.SEPARATOR + gone.group()));
            }
            case Fact.Offsets told ->
                offsets.computeIfAbsent(ConsumerOffsets.key(told.topic(), told.group()), _ -> new TreeMap<>())
                        .putAll(told.offsets());
            case Fact.OffsetsGone gone -> offsets.remove(ConsumerOffsets.key(gone.topic(), gone.group()));
            case Fact.DelayProgress progress -> delay.put(progress.level(), progress.offset());
            case Fact.Adopted _, Fact.StatePoint _, Fact.StateTold _ -> {}
        }
    }

    private StateDigest digest() {
        return StateDigest.of(state(DataVersion.NONE, DataVersion.NONE), given);
    }

    /// Of the last state point that was folded; for everybody.
    public Optional<StateDigest.At> newest() {
        return newest.read();
    }

    /// Lent until the next call.
    public State state(DataVersion topicVersion, DataVersion version) {
        return new State(topicVersion, version, topics, groups, offsets, delay);
    }
}
