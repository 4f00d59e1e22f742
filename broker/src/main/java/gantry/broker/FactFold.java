package gantry.broker;

import gantry.broker.delay.DelayDelivery;
import gantry.broker.facts.Fact;
import gantry.broker.group.Groups;
import gantry.broker.topic.Catalogue;
import gantry.store.ConsumeQueue;
import gantry.store.Store;
import java.util.Map;
import java.util.TreeMap;

/// What each fact of the log changes.
///
/// For:   folding the broker's state together, at start and while another member writes the facts.
/// Owner: none (stateless; each part has its own sequencer).
/// Never: appends a fact.
final class FactFold {
    private final Store store;
    private final Catalogue catalogue;
    private final Groups groups;
    private final DelayDelivery delay;

    FactFold(Store store, Catalogue catalogue, Groups groups, DelayDelivery delay) {
        this.store = store;
        this.catalogue = catalogue;
        this.groups = groups;
        this.delay = delay;
    }

    /// At start.
    void fold(Fact fact) {
        if (fact instanceof Fact.Offsets offsets) {
            groups.restore(withinQueues(offsets));
        } else {
            follow(fact);
        }
    }

    /// A fact that is confirmed, and so is everything that it speaks of.
    void follow(Fact fact) {
        switch (fact) {
            case Fact.Offsets offsets -> groups.restore(offsets);
            case Fact.OffsetsGone gone -> groups.forgetTopic(gone.group(), gone.topic());
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
            case Fact.Adopted _, Fact.StatePoint _, Fact.StateTold _ -> {}
        }
    }

    /// Runs `then` once everything folded so far can be seen by whoever gathers the state.
    void whenFolded(Runnable then) {
        catalogue.whenRestored(() -> delay.whenRestored(then));
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
