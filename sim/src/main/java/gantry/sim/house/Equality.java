package gantry.sim.house;

import gantry.broker.BrokerNode;
import gantry.sim.SimFailure;
import gantry.sim.check.QueueName;
import gantry.sim.check.Stored;
import gantry.store.ConsumeQueue;
import gantry.store.Store;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Compares two members of a group that have the same confirmed log.
///
/// For:   a follower's derived state equals the leader's at the same offset.
/// Owner: none (stateless).
final class Equality {
    private Equality() {}

    static void check(BrokerNode leader, BrokerNode follower) {
        Store one = leader.store();
        Store other = follower.store();
        same("the end of the log", one.appended(), other.appended());
        same("confirmOffset", one.confirmOffset(), other.confirmOffset());
        same("the queues' ends", ends(one, other), ends(other, one));
        Map<QueueName, List<Stored>> ours = LogContents.of(one, false);
        Map<QueueName, List<Stored>> theirs = LogContents.of(other, false);
        ours.forEach((queue, messages) -> {
            // Each lets the head of its log go by itself.
            List<Stored> others = theirs.getOrDefault(queue, List.of());
            int common = Math.min(messages.size(), others.size());
            same(queue.toString(), newest(messages, common), newest(others, common));
        });
        same("topics", leader.topicConfigs(), follower.topicConfigs());
        same("groups", leader.groupConfigs(), follower.groupConfigs());
        same("offsets", leader.consumerOffsets(), follower.consumerOffsets());
    }

    private static List<Stored> newest(List<Stored> messages, int count) {
        return messages.subList(messages.size() - count, messages.size());
    }

    /// A queue without messages need not be known to both: who asks for it makes it.
    private static Map<QueueName, Long> ends(Store store, Store other) {
        Map<QueueName, Long> ends = new TreeMap<>();
        for (ConsumeQueue queue : store.queues()) {
            boolean hasNone = queue.minOffset() == queue.maxOffset();
            if (!hasNone || other.find(queue.topic(), queue.queueId()) != null) {
                ends.put(new QueueName(queue.topic(), queue.queueId()), queue.maxOffset());
            }
        }
        return ends;
    }

    private static void same(String what, Object leaders, Object followers) {
        if (!leaders.equals(followers)) {
            throw new SimFailure("P3 " + what + " of a follower differ from the leader's:\n  leader   " + leaders
                    + "\n  follower " + followers);
        }
    }
}
