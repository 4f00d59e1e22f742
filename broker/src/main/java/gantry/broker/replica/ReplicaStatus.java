package gantry.broker.replica;

import gantry.replica.frame.Cause;
import gantry.replica.member.Promise;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/// A member's view of its group, at one moment.
///
/// For:   health, metrics and admin requests; at most 200 ms old.
/// Owner: none (immutable).
///
/// @param memberId     our own number (`brokerId`)
/// @param epoch        that is led or followed; 0 while none is
/// @param begin        log offset of the oldest kept byte
/// @param end          log offset behind the last written byte
/// @param durable      below it everything is on disk here
/// @param confirm      below it nothing can be taken back
/// @param refusesSends why no send is taken now, in a sentence; null when they are
/// @param members      of a leader: all others, and RocketMQ's slaves with numbers below 0; of a follower: its leader
/// @param refused      how often something was refused, by cause; causes that never came are not there
/// @param strangers    connections that have not proved themselves yet
/// @param comparison   what comparing the members' logs has come to
public record ReplicaStatus(
        ReplicaRole role,
        long memberId,
        Promise promise,
        long epoch,
        long begin,
        long end,
        long durable,
        long confirm,
        @Nullable String refusesSends,
        List<MemberStatus> members,
        SortedMap<Cause, Long> refused,
        int strangers,
        ComparisonStatus comparison) {
    public ReplicaStatus {
        members = List.copyOf(members);
    }

    /// The same, with others that are shown, and other counts of what was refused.
    public ReplicaStatus with(List<MemberStatus> shown, SortedMap<Cause, Long> counts) {
        return new ReplicaStatus(
                role,
                memberId,
                promise,
                epoch,
                begin,
                end,
                durable,
                confirm,
                refusesSends,
                shown,
                counts,
                strangers,
                comparison);
    }

    /// Of a member that compares nothing.
    public ReplicaStatus(
            ReplicaRole role,
            long memberId,
            Promise promise,
            long epoch,
            long begin,
            long end,
            long durable,
            long confirm,
            @Nullable String refusesSends,
            List<MemberStatus> members,
            SortedMap<Cause, Long> refused,
            int strangers) {
        this(
                role,
                memberId,
                promise,
                epoch,
                begin,
                end,
                durable,
                confirm,
                refusesSends,
                members,
                refused,
                strangers,
                ComparisonStatus.NONE);
    }

    /// The same, with what comparing has come to.
    public ReplicaStatus comparing(ComparisonStatus now) {
        return new ReplicaStatus(
                role,
                memberId,
                promise,
                epoch,
                begin,
                end,
                durable,
                confirm,
                refusesSends,
                members,
                refused,
                strangers,
                now);
    }

    /// The same, but no send is taken.
    public ReplicaStatus refusing(String why) {
        return new ReplicaStatus(
                role,
                memberId,
                promise,
                epoch,
                begin,
                end,
                durable,
                confirm,
                why,
                members,
                refused,
                strangers,
                comparison);
    }
}
