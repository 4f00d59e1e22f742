package gantry.sim.house;

import gantry.broker.BrokerNode;
import gantry.sim.SimFailure;
import gantry.sim.check.QueueName;
import gantry.sim.check.Stored;
import gantry.store.Store;
import java.util.List;
import java.util.Map;

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
        Map<QueueName, List<Stored>> ours = LogContents.of(one, false);
        Map<QueueName, List<Stored>> theirs = LogContents.of(other, false);
        same("the queues", ours.keySet(), theirs.keySet());
        ours.forEach((queue, messages) -> same(queue.toString(), messages, theirs.getOrDefault(queue, List.of())));
        same("topics", leader.topicConfigs(), follower.topicConfigs());
        same("groups", leader.groupConfigs(), follower.groupConfigs());
        same("offsets", leader.consumerOffsets(), follower.consumerOffsets());
    }

    private static void same(String what, Object leaders, Object followers) {
        if (!leaders.equals(followers)) {
            throw new SimFailure("P3 " + what + " of a follower differ from the leader's:\n  leader   " + leaders
                    + "\n  follower " + followers);
        }
    }
}
