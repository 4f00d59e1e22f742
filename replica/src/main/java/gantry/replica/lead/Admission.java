package gantry.replica.lead;

import gantry.replica.frame.Cause;
import gantry.replica.frame.Fault;
import gantry.replica.frame.Hello;
import gantry.replica.hello.Identity;
import gantry.replica.hello.LeaderHello;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Whether somebody who has proved itself is one of the group.
///
/// For:   telling a member of another cluster, or one with somebody else's number, why it cannot follow.
/// Owner: none (stateless).
final class Admission {
    private Admission() {}

    @Nullable
    static Fault refusal(LeaderSetup setup, Map<Long, Member> members, Hello peer, long nowNanos) {
        Identity self = setup.self();
        if (peer.high() < LeaderHello.LOWEST_VERSION || peer.low() > LeaderHello.HIGHEST_VERSION) {
            return new Fault(
                    Cause.VERSIONS,
                    peer.low() + " to " + peer.high() + ", here " + LeaderHello.LOWEST_VERSION + " to "
                            + LeaderHello.HIGHEST_VERSION);
        }
        if (!peer.cluster().equals(self.cluster())) {
            return new Fault(Cause.OTHER_CLUSTER, peer.cluster() + ", this is " + self.cluster());
        }
        if (!peer.group().equals(self.group())) {
            return new Fault(Cause.OTHER_GROUP, peer.group() + ", this is " + self.group());
        }
        if (peer.memberId() == self.memberId()) {
            return new Fault(Cause.SAME_ID, "" + peer.memberId());
        }
        if (peer.role() != Hello.FOLLOWER) {
            return new Fault(Cause.NOT_NOW, "role " + peer.role());
        }
        Member known = members.get(peer.memberId());
        boolean noRoom = members.size() >= setup.limits().maxMembers()
                || !setup.members().isEmpty();
        if (known == null && noRoom) {
            return new Fault(Cause.UNKNOWN_MEMBER, "" + peer.memberId());
        }
        return known == null ? null : known.keepsOut(peer.instance(), setup.limits(), nowNanos);
    }
}
