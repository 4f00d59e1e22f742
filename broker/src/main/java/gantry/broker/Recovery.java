package gantry.broker;

import gantry.base.Notices;
import gantry.broker.delay.DelayDelivery;
import gantry.broker.facts.Fact;
import gantry.broker.facts.FactLog;
import gantry.broker.facts.Snapshot;
import gantry.broker.group.Groups;
import gantry.broker.topic.Catalogue;
import gantry.store.ConsumeQueue;
import gantry.store.Store;
import gantry.wire.body.ConsumerOffsets;
import gantry.wire.body.SubscriptionGroupTable;
import gantry.wire.body.TopicTable;
import gantry.wire.json.Json;
import gantry.wire.json.JsonFault;
import java.util.Map;
import java.util.TreeMap;

/// Folds the broker's state together at start: the exported files, then the facts behind them.
///
/// For:   topics, groups, offsets and delay progress as they were.
/// Owner: none; runs once, before anybody is served.
/// Never: goes on with a file that it cannot read.
final class Recovery {
    private final Store store;
    private final Snapshot snapshot;
    private final FactLog facts;
    private final Catalogue catalogue;
    private final Groups groups;
    private final DelayDelivery delay;
    private final Notices notices;

    Recovery(
            Store store,
            Snapshot snapshot,
            FactLog facts,
            Catalogue catalogue,
            Groups groups,
            DelayDelivery delay,
            Notices notices) {
        this.store = store;
        this.snapshot = snapshot;
        this.facts = facts;
        this.catalogue = catalogue;
        this.groups = groups;
        this.delay = delay;
        this.notices = notices;
    }

    void run() throws FactLog.Unreadable {
        Snapshot.Position position = snapshot.position();
        fromFiles();
        position.delay().forEach((level, offset) -> take(new Fact.DelayProgress(level, offset)));
        // Files and log can come from different moments after a loss of power: then the log is shorter than the files
        // say.
        long from = Math.min(position.queueOffset(), facts.end());
        long end = facts.replay(from, this::take);
        if (end > from) {
            notices.info("folded " + (end - from) + " facts of the log into the state of topics, groups and offsets");
        }
    }

    private void fromFiles() throws FactLog.Unreadable {
        try {
            Json topics = snapshot.read(Snapshot.TOPICS);
            if (topics != null) {
                TopicTable.fromJson(topics).topics().values().forEach(topic -> take(new Fact.TopicSet(topic)));
            }
            Json groupTable = snapshot.read(Snapshot.GROUPS);
            if (groupTable != null) {
                SubscriptionGroupTable.fromJson(groupTable)
                        .groups()
                        .values()
                        .forEach(group -> take(new Fact.GroupSet(group)));
            }
            Json offsets = snapshot.read(Snapshot.OFFSETS);
            if (offsets != null) {
                ConsumerOffsets.fromJson(offsets).offsets().forEach((key, queues) -> {
                    int at = key.indexOf(ConsumerOffsets.SEPARATOR);
                    if (at > 0) {
                        take(new Fact.Offsets(key.substring(at + 1), key.substring(0, at), queues));
                    }
                });
            }
        } catch (JsonFault e) {
            throw new FactLog.Unreadable("a file below config/ is damaged: " + e.sentence(), e);
        }
    }

    private void take(Fact fact) {
        switch (fact) {
            case Fact.Offsets offsets -> groups.restore(withinQueues(offsets));
            case Fact.DelayProgress progress -> delay.restore(progress);
            case Fact.TopicSet _, Fact.GroupSet _ -> catalogue.restore(fact);
            case Fact.TopicGone gone -> {
                catalogue.restore(fact);
                groups.forgetTopic(gone.topic());
            }
            case Fact.GroupGone gone -> {
                catalogue.restore(fact);
                groups.forgetGroup(gone.group());
            }
        }
    }

    /// After a loss of power the files may know offsets of messages that did not survive. New messages will get those
    /// offsets' numbers, so a group that kept them would skip new messages.
    private Fact.Offsets withinQueues(Fact.Offsets fact) {
        Map<Integer, Long> within = new TreeMap<>();
        fact.offsets().forEach((queueId, offset) -> {
            ConsumeQueue queue = store.find(fact.topic(), queueId);
            within.put(queueId, Math.min(offset, queue == null ? 0 : queue.maxOffset()));
        });
        return new Fact.Offsets(fact.group(), fact.topic(), within);
    }
}
