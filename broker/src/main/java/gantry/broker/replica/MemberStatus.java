package gantry.broker.replica;

import gantry.replica.member.MemberState;
import java.util.OptionalLong;

/// How one other member stands, at one moment.
///
/// For:   health, metrics and admin requests.
/// Owner: none (immutable).
///
/// @param memberId    its brokerId; below 0 for one that is no member: a slave of RocketMQ's, which counts for nothing
/// @param address     where its connection comes from (a host) or goes to; empty while it has none
/// @param lagBytes    of the log that it lacks; empty: not known
/// @param lagMessages of the log that it lacks, facts of the broker's own among them; empty: not known
/// @param lagMillis   how old the oldest message is that it lacks, 0 when it lacks none; empty: not known
/// @param heardMillis since it was heard last; empty: never
public record MemberStatus(
        long memberId,
        String address,
        MemberState state,
        OptionalLong lagBytes,
        OptionalLong lagMessages,
        OptionalLong lagMillis,
        OptionalLong heardMillis) {
    /// Whether nothing that is promised counts on it.
    public boolean isGuest() {
        return memberId < 0;
    }

    /// A member of which nobody knows how many messages it lacks.
    public MemberStatus(
            long memberId,
            String address,
            MemberState state,
            OptionalLong lagBytes,
            OptionalLong lagMillis,
            OptionalLong heardMillis) {
        this(memberId, address, state, lagBytes, OptionalLong.empty(), lagMillis, heardMillis);
    }
}
