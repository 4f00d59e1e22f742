package gantry.broker.query;

import gantry.broker.replica.MemberStatus;
import gantry.broker.replica.ReplicaRole;
import gantry.broker.replica.ReplicaStatus;
import gantry.replica.frame.Cause;
import gantry.replica.member.MemberState;
import gantry.replica.member.Promise;
import java.util.List;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Views of a group for tests: the log ends at 1000.
///
/// For:   the tests of this package.
/// Owner: none (stateless).
final class GroupView {
    static final long END = 1_000;

    private GroupView() {}

    static ReplicaStatus leader(int promised, @Nullable String refuses, MemberStatus... members) {
        TreeMap<Cause, Long> refused = new TreeMap<>();
        refused.put(Cause.PROOF_WRONG, 3L);
        return new ReplicaStatus(
                ReplicaRole.LEADER,
                0,
                new Promise(promised, false),
                5,
                0,
                END,
                900,
                800,
                refuses,
                List.of(members),
                refused,
                2);
    }

    static ReplicaStatus follower(MemberStatus leader) {
        return new ReplicaStatus(
                ReplicaRole.FOLLOWER,
                1,
                new Promise(1, false),
                5,
                0,
                END,
                900,
                800,
                "this broker follows a leader: send there",
                List.of(leader),
                new TreeMap<>(),
                0);
    }

    static MemberStatus member(long id, MemberState state) {
        return new MemberStatus(id, "", state, OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty());
    }

    static MemberStatus member(long id, MemberState state, long lagBytes, long lagMillis) {
        return new MemberStatus(
                id,
                "10.0.0.7:40000",
                state,
                OptionalLong.of(lagBytes),
                OptionalLong.of(lagBytes / 20),
                OptionalLong.of(lagMillis),
                OptionalLong.of(250));
    }
}
