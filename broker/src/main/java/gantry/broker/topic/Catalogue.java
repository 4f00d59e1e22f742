package gantry.broker.topic;

import gantry.base.Clock;
import gantry.base.Directory;
import gantry.base.Image;
import gantry.base.Offload;
import gantry.base.Published;
import gantry.base.Sequencer;
import gantry.broker.append.Outcome;
import gantry.broker.facts.Fact;
import gantry.broker.facts.FactLog;
import gantry.store.Refusal;
import gantry.store.Store;
import gantry.wire.body.DataVersion;
import gantry.wire.body.Permission;
import gantry.wire.body.SubscriptionGroup;
import gantry.wire.body.TopicConfig;
import gantry.wire.frame.ResponseCodes;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Knows the topics and subscription groups, and changes them.
///
/// For:   one writer for what exists.
/// Owner: its sequencer; reads go through directories and need no lock.
/// Never: members, offsets or messages.
/// Holds: CAT-1 a topic's fact stands in the log before its first message, because both go through the one log
///        in order.
public final class Catalogue {
    /// The answer to "make sure this topic exists".
    public sealed interface Creation {
        record Exists(Topic topic) implements Creation {}

        record Refused(int code, String sentence) implements Creation {}
    }

    /// What changed between two values of `changes()`.
    ///
    /// @param topics that were created or changed, with their settings, sorted by name
    /// @param gone that were deleted, sorted by name
    public record Changes(Map<String, TopicConfig> topics, List<String> gone) {}

    /// So many changes can be told one by one; whoever knows less is told everything.
    static final int MOST_JOURNAL = 1_024;

    private final CatalogueConfig config;
    private final FactLog facts;
    private final Store store;
    private final Clock clock;
    private final Sequencer sequencer;
    private final Directory<String, Topic> topics = new Directory<>();
    private final Directory<String, SubscriptionGroup> groups = new Directory<>();
    /// Facts that the log did not take; handed over again at each tick until it does. Keyed by kind and name.
    private final Map<String, Fact> untaken = new LinkedHashMap<>();

    /// Facts on their way to the log, or not taken by it: the number of the newest of each topic and group.
    private final Map<String, Long> newest = new LinkedHashMap<>();

    private long handings;
    /// Topics that are being deleted; told when no crash can bring them back. By name, the end of the facts
    /// when it began.
    private final Map<String, Long> leaving = new LinkedHashMap<>();
    private final Image<Long> settledTo = new Image<>(Long.MAX_VALUE);
    private final Image<Boolean> owesFacts = new Image<>(false);
    private final Image<Consumer<String>> topicGone = new Image<>(_ -> {});
    private final Image<Consumer<String>> groupGone = new Image<>(_ -> {});
    private final Published changes = new Published(0);
    /// The topic that was changed by each of the last changes.
    private final Directory<Long, String> journal = new Directory<>();
    private final Image<Long> startedMillis = new Image<>(0L);
    private final Image<Boolean> leads = new Image<>(true);

    public Catalogue(
            CatalogueConfig config, FactLog facts, Store store, Clock clock, Offload offload, Sequencer.Faults faults) {
        this.config = config;
        this.facts = facts;
        this.store = store;
        this.clock = clock;
        this.sequencer = new Sequencer("catalogue", offload, faults);
    }

    public @Nullable Topic topic(String name) {
        return topics.find(name);
    }

    public @Nullable SubscriptionGroup group(String name) {
        return groups.find(name);
    }

    /// Grows with every change of a topic; whoever tells nameservers compares it with what it told last.
    public long changes() {
        return changes.read();
    }

    /// What was created, changed or deleted since `changes()` was `known`.
    ///
    /// @return empty when that cannot be told: too long ago
    public Optional<Changes> changedSince(long known, long now) {
        if (now - known > MOST_JOURNAL) {
            return Optional.empty();
        }
        TreeMap<String, TopicConfig> changed = new TreeMap<>();
        TreeSet<String> gone = new TreeSet<>();
        for (long change = known + 1; change <= now; change++) {
            String name = journal.find(change);
            if (name == null) {
                return Optional.empty();
            }
            Topic topic = topics.find(name);
            if (topic == null) {
                gone.add(name);
            } else {
                changed.put(name, topic.config());
            }
        }
        return Optional.of(new Changes(changed, List.copyOf(gone)));
    }

    /// Every topic's settings, sorted by name.
    public Map<String, TopicConfig> topicConfigs() {
        TreeMap<String, TopicConfig> all = new TreeMap<>();
        topics.values().forEach(topic -> all.put(topic.name(), topic.config()));
        return all;
    }

    public int topicCount() {
        return topics.size();
    }

    public Map<String, SubscriptionGroup> groupConfigs() {
        TreeMap<String, SubscriptionGroup> all = new TreeMap<>();
        groups.values().forEach(group -> all.put(group.group(), group));
        return all;
    }

    public DataVersion topicVersion() {
        return topicVersion(changes());
    }

    /// The version that stands for a value of `changes()`; equal versions mean equal topics.
    public DataVersion topicVersion(long change) {
        return new DataVersion(0, startedMillis.read(), change);
    }

    /// What the log says: at start, and while another member writes it.
    public void restore(Fact fact) {
        sequencer.submitAlways(() -> {
            switch (fact) {
                case Fact.TopicSet set -> {
                    place(set.config());
                    restored(set.config().topic());
                }
                case Fact.TopicGone gone -> {
                    displace(gone.topic());
                    restored(gone.topic());
                }
                case Fact.GroupSet set -> groups.put(set.group().group(), set.group());
                case Fact.GroupGone gone -> groups.remove(gone.group());
                case Fact.Offsets _,
                        Fact.OffsetsGone _,
                        Fact.DelayProgress _,
                        Fact.Adopted _,
                        Fact.StatePoint _,
                        Fact.StateTold _ -> {}
            }
        });
    }

    /// Whoever registers is told of everything at the start.
    private void restored(String topic) {
        if (startedMillis.read() != 0) {
            changed(topic);
        }
    }

    /// Runs `then` once what was restored so far can be seen.
    public void whenRestored(Runnable then) {
        sequencer.submitAlways(() -> sequencer.after(then));
    }

    /// Nothing is changed here until `lead` says so: another member does.
    public void follow() {
        leads.publish(false);
    }

    public void lead() {
        leads.publish(true);
    }

    /// Who else has something of topics and groups, and lets it go with them; set once, before anybody is served.
    public void tellGone(Consumer<String> topics, Consumer<String> groups) {
        topicGone.publish(topics);
        groupGone.publish(groups);
    }

    /// Says in facts what every topic and group is now: for those who copy a log that does not say it yet.
    public void restate() {
        sequencer.submitAlways(() -> {
            topics.values()
                    .forEach(topic -> hand(
                            "topic " + topic.config().topic(), new Fact.TopicSet(topic.config()), Outcome.IGNORED));
            groups.values().forEach(group -> hand("group " + group.group(), new Fact.GroupSet(group), Outcome.IGNORED));
        });
    }

    /// What follows from the deletion of a topic: at start, when a crash came between, and where another member has
    /// deleted it. `outcome` is told when no crash can bring it back.
    ///
    /// @param logEnd where the record ends that says so
    public void goOnDeleting(String name, long logEnd, Outcome outcome) {
        sequencer.submitAlways(() -> topicGone.read().accept(name));
        endQueues(name, logEnd, outcome);
    }

    /// What the log has of a topic below `logEnd` goes; a topic of that name may be here again.
    public void endQueues(String name, long logEnd, Outcome outcome) {
        sequencer.submitAlways(() -> {
            leave(name);
            store.topicEnds().drop(name, logEnd, () -> dropped(name, outcome));
        });
    }

    /// Whether something was changed here that the log has not taken yet, and may not for a while: what clients see of
    /// topics and groups is ahead of what followers can know.
    public boolean owesFacts() {
        return owesFacts.read();
    }

    /// A snapshot may say that it holds the facts below it: those behind may have consequences that a crash would undo.
    public long settledTo() {
        return settledTo.read();
    }

    /// At start, after `restore`: the topics that every broker has.
    public void start() {
        sequencer.submitAlways(() -> {
            startedMillis.publish(clock.wallMillis());
            if (config.createTopics()) {
                reserve(TopicNames.DEFAULT_TOPIC, config.defaultQueues(), Permission.READ_WRITE | Permission.INHERIT);
            }
            reserve(TopicNames.SCHEDULE_TOPIC, 18, Permission.READ_WRITE);
            reserve("SELF_TEST_TOPIC", 1, Permission.READ_WRITE);
            reserve("OFFSET_MOVED_EVENT", 1, Permission.READ_WRITE);
            reserve(config.clusterName(), 16, Permission.READ_WRITE | Permission.INHERIT);
            reserve(config.brokerName(), 1, Permission.READ_WRITE | Permission.INHERIT);
            changed(config.brokerName());
        });
    }

    /// Reserved topics are the same on every start, so no fact is spent on them.
    private void reserve(String name, int queues, int permission) {
        if (topics.find(name) == null) {
            place(settings(name, queues, permission));
        }
    }

    /// Makes sure that a topic that a producer sends to exists, by the rules of remoting.md §3.1.
    ///
    /// @param done told on this thread or another
    /// @return false when the catalogue is too busy
    public boolean createForSend(String name, String defaultTopic, int wantedQueues, Consumer<Creation> done) {
        return sequencer.submit(() -> done.accept(createdForSend(name, defaultTopic, wantedQueues)));
    }

    private Creation createdForSend(String name, String defaultTopic, int wantedQueues) {
        Topic known = topics.find(name);
        if (known != null) {
            return new Creation.Exists(known);
        }
        if (leaving.containsKey(name)) {
            return stillLeaving(name);
        }
        if (TopicNames.isRetry(name)) {
            return set(settings(name, 1, Permission.READ_WRITE));
        }
        Topic model = topics.find(defaultTopic);
        if (!config.createTopics() || model == null || (model.config().permission() & Permission.INHERIT) == 0) {
            return new Creation.Refused(
                    ResponseCodes.TOPIC_NOT_EXIST,
                    "topic \"" + name
                            + "\" does not exist and this broker does not create topics on send: create it with "
                            + "updateTopic, or set autoCreateTopicEnable=true");
        }
        int queues = Math.max(1, Math.min(wantedQueues, model.config().writeQueues()));
        return set(settings(name, queues, model.config().permission() & ~Permission.INHERIT));
    }

    /// Creates the retry or dead-letter topic of a group, or leaves it as it is.
    public boolean createForGroup(String name, int queues, Consumer<Creation> done) {
        return sequencer.submit(() -> {
            Topic known = topics.find(name);
            if (known != null) {
                done.accept(new Creation.Exists(known));
            } else if (!leads.read()) {
                done.accept(new Creation.Refused(
                        ResponseCodes.SERVICE_NOT_AVAILABLE,
                        "topic \"" + name + "\" is not known here, and only the leader of this group creates topics"));
            } else if (leaving.containsKey(name)) {
                done.accept(stillLeaving(name));
            } else {
                done.accept(set(settings(name, Math.max(1, queues), Permission.READ_WRITE)));
            }
        });
    }

    /// An operator's change. `outcome` is told when the log carries it.
    public boolean update(TopicConfig next, Outcome outcome) {
        return update(List.of(next), outcome);
    }

    /// As above, for many. The log carries facts in order, so `outcome` is told with the last of them.
    ///
    /// @param wanted at least one
    public boolean update(List<TopicConfig> wanted, Outcome outcome) {
        return sequencer.submit(() -> {
            for (TopicConfig next : wanted) {
                if (leaving.containsKey(next.topic())) {
                    outcome.done(new Refusal(
                            Refusal.Kind.BUSY, stillLeaving(next.topic()).sentence()));
                    return;
                }
            }
            for (TopicConfig next : wanted) {
                place(next);
                changed(next.topic());
            }
            int last = wanted.size() - 1;
            for (int i = 0; i <= last; i++) {
                TopicConfig next = wanted.get(i);
                hand("topic " + next.topic(), new Fact.TopicSet(next), i == last ? outcome : Outcome.IGNORED);
            }
        });
    }

    /// Deletes a topic with its queues and what groups have consumed of it. `outcome` is told when no crash can
    /// bring it back; until then none of that name is created.
    public boolean delete(String name, Outcome outcome) {
        return sequencer.submit(() -> {
            if (leaving.containsKey(name)) {
                outcome.done(new Refusal(Refusal.Kind.BUSY, stillLeaving(name).sentence()));
                return;
            }
            leave(name);
            displace(name);
            changed(name);
            topicGone.read().accept(name);
            handGone(name, outcome);
        });
    }

    private void leave(String name) {
        leaving.put(name, facts.end());
        publishSettled();
    }

    private void publishSettled() {
        settledTo.publish(
                leaving.values().stream().mapToLong(Long::longValue).min().orElse(Long.MAX_VALUE));
    }

    /// Where the fact stands in the log its topic ends, on every member: no message of it may stand behind.
    private void handGone(String name, Outcome outcome) {
        store.topicEnds().close(name);
        hand("topic " + name, new Fact.TopicGone(name), refusal -> {
            if (refusal == null) {
                sequencer.submitAlways(() -> drop(name, outcome));
            } else {
                if (refusal.kind() == Refusal.Kind.LATE) {
                    sequencer.submitAlways(() -> dropOnceConfirmed(name));
                }
                outcome.done(refusal);
            }
        });
    }

    /// The deletion stands in the log, and must not stand there twice: a second one could come behind a topic of the
    /// same name. It is confirmed when a fact behind it is, and one that changes nothing will do.
    private void dropOnceConfirmed(String name) {
        hand(
                "end of topic " + name,
                new Fact.OffsetsGone("", name),
                refusal -> sequencer.submitAlways(() -> {
                    if (refusal == null) {
                        drop(name, Outcome.IGNORED);
                    } else if (refusal.kind() == Refusal.Kind.LATE) {
                        dropOnceConfirmed(name);
                    }
                }));
    }

    private void drop(String name, Outcome outcome) {
        store.topicEnds().drop(name, () -> dropped(name, outcome));
    }

    private void dropped(String name, Outcome outcome) {
        sequencer.submitAlways(() -> {
            leaving.remove(name);
            publishSettled();
            sequencer.after(() -> outcome.done(null));
        });
    }

    private static Creation.Refused stillLeaving(String name) {
        return new Creation.Refused(
                ResponseCodes.SERVICE_NOT_AVAILABLE,
                "topic \"" + name + "\" is being deleted; it can be created again in a moment");
    }

    public boolean update(SubscriptionGroup next, Outcome outcome) {
        return sequencer.submit(() -> {
            groups.put(next.group(), next);
            hand("group " + next.group(), new Fact.GroupSet(next), outcome);
        });
    }

    public boolean deleteGroup(String name, Outcome outcome) {
        return sequencer.submit(() -> {
            groups.remove(name);
            groupGone.read().accept(name);
            hand("group " + name, new Fact.GroupGone(name), outcome);
        });
    }

    /// Makes sure that a group that was heard has settings.
    ///
    /// @return false when it has none and is not to be created
    public boolean ensureGroup(String name) {
        if (groups.find(name) != null || !leads.read()) {
            return true;
        }
        if (!config.createGroups() || TopicNames.faultOfGroup(name) != null) {
            return false;
        }
        return sequencer.submit(() -> {
            if (groups.find(name) == null) {
                SubscriptionGroup fresh = SubscriptionGroup.named(name);
                groups.put(name, fresh);
                hand("group " + name, new Fact.GroupSet(fresh), refusal -> {});
            }
        });
    }

    public void tick() {
        sequencer.submitAlways(() -> {
            if (untaken.isEmpty() || !leads.read()) {
                return;
            }
            Map<String, Fact> again = new LinkedHashMap<>(untaken);
            untaken.clear();
            publishOwed();
            again.forEach((key, fact) -> {
                if (fact instanceof Fact.TopicGone gone) {
                    handGone(gone.topic(), Outcome.IGNORED);
                } else if (fact instanceof Fact.OffsetsGone end) {
                    dropOnceConfirmed(end.topic());
                } else {
                    hand(key, fact, Outcome.IGNORED);
                }
            });
        });
    }

    private Creation set(TopicConfig next) {
        Topic topic = place(next);
        changed(next.topic());
        hand("topic " + next.topic(), new Fact.TopicSet(next), refusal -> {});
        return new Creation.Exists(topic);
    }

    /// What the log has not taken is handed over again, unless something newer was said of the same thing: an older
    /// fact behind a newer one would count. What is only not confirmed yet stands in the log already.
    private void hand(String key, Fact fact, Outcome outcome) {
        untaken.remove(key);
        long number = ++handings;
        newest.put(key, number);
        publishOwed();
        facts.append(fact, refusal -> {
            sequencer.submitAlways(() -> {
                boolean isNewest = newest.getOrDefault(key, 0L) == number;
                if (isNewest && refusal != null && refusal.kind() != Refusal.Kind.LATE) {
                    untaken.put(key, fact);
                } else if (isNewest) {
                    newest.remove(key);
                }
                publishOwed();
            });
            outcome.done(refusal);
        });
    }

    private void publishOwed() {
        owesFacts.publish(!untaken.isEmpty() || !newest.isEmpty());
    }

    private void changed(String name) {
        long change = changes.read() + 1;
        journal.put(change, name);
        journal.remove(change - MOST_JOURNAL);
        changes.advance(change);
    }

    private Topic place(TopicConfig next) {
        Topic topic = topics.find(next.topic());
        if (topic == null) {
            topic = new Topic(next, store);
            topics.put(next.topic(), topic);
        } else {
            topic.change(next);
        }
        return topic;
    }

    private void displace(String name) {
        Topic topic = topics.remove(name);
        if (topic != null) {
            topic.remove();
        }
    }

    private static TopicConfig settings(String name, int queues, int permission) {
        return TopicConfig.of(name, queues, permission);
    }
}
