package gantry.broker;

import gantry.broker.facts.Carried;
import gantry.broker.facts.Fact;
import gantry.broker.facts.FactLog;
import gantry.broker.facts.Found;
import gantry.broker.facts.StateFile;
import java.util.Map;

/// Says no to a RocketMQ broker's `config/` that cannot be taken over, before anything of the store is touched.
///
/// For:   one sentence that says why and what to do; what the store's folders hold is refused by the store itself.
/// Owner: none (stateless).
/// Never: says no to what Gantry wrote; that has its log to lean on.
final class Adoption {
    private static final String BACK = " Nothing was changed: RocketMQ can still open this store.";

    private Adoption() {}

    /// @param ours whether Gantry, and no RocketMQ broker since, ran on the store
    /// @param empty whether no message was ever stored in it
    static void check(Map<StateFile, Found> files, boolean ours, boolean empty) throws FactLog.Unreadable {
        if (ours) {
            return;
        }
        for (Found found : files.values()) {
            if (found instanceof Found.Damaged damaged) {
                throw new FactLog.Unreadable(
                        damaged.sentence()
                                + ". It is nowhere else, and starting without it would make it empty: bring it"
                                + " back from a copy of config/, then start again." + BACK,
                        null);
            }
            if (found instanceof Found.Whole whole) {
                for (Fact fact : whole.facts()) {
                    checkTopic(fact);
                }
            }
        }
        if (!empty && files.get(StateFile.TOPICS) instanceof Found.Absent) {
            throw new FactLog.Unreadable(
                    "The store holds messages, but " + StateFile.TOPICS.file().path()
                            + " is missing, so nobody could read"
                            + " them: bring the folder config/ of that RocketMQ broker here as well, then start again."
                            + BACK,
                    null);
        }
    }

    private static void checkTopic(Fact fact) throws FactLog.Unreadable {
        if (fact instanceof Fact.TopicSet set) {
            String why = Carried.whyNot(set.config());
            if (why != null) {
                throw refused(set, why);
            }
        }
    }

    private static FactLog.Unreadable refused(Fact.TopicSet set, String why) {
        return new FactLog.Unreadable(
                "Topic " + set.config().topic() + " " + why
                        + ": consume and delete it under RocketMQ (mqadmin deleteTopic), then start again." + BACK,
                null);
    }
}
