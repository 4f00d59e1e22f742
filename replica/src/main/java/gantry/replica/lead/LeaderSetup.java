package gantry.replica.lead;

import gantry.base.Require;
import gantry.replica.hello.Identity;
import gantry.replica.hello.Trust;
import gantry.replica.member.Limits;
import gantry.replica.member.Promise;
import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/// How a leader was set up.
///
/// For:   the constructor of `ReplicaGroup`.
/// Owner: none (immutable).
///
/// @param members the numbers of the other members; empty: whoever proves itself is one, up to the limit
public record LeaderSetup(Identity self, Trust trust, Promise promise, Limits limits, SortedSet<Long> members) {
    public LeaderSetup {
        Require.that(!members.contains(self.memberId()), "the leader is not one of the other members");
        Require.that(
                members.size() <= limits.maxMembers(), "a group has " + limits.maxMembers() + " other members at most");
        members = Collections.unmodifiableSortedSet(new TreeSet<>(members));
    }
}
