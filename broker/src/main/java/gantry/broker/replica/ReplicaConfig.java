package gantry.broker.replica;

import gantry.base.Endpoint;
import gantry.base.Require;
import gantry.replica.hello.Trust;
import gantry.replica.member.Limits;
import gantry.replica.member.Promise;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/// How a broker takes part in a replica group.
///
/// For:   the settings of a broker that has copies, or is one.
/// Owner: none (immutable).
///
/// @param promise  when a send is answered (`brokerRole`, `flushDiskType`, `inSyncReplicas`, `minInSyncReplicas`)
/// @param trust    what the members know each other by (`replicaSecret`)
/// @param members  the other members' numbers; empty: whoever proves itself is one
/// @param listen   where followers connect (`haListenPort`); port 0: any
/// @param leader   where the leader listens for followers (`haMasterAddress`); empty: as nameservers say
/// @param lends    a follower lets consumers read what is confirmed (`slaveReadEnable`; not set: yes)
public record ReplicaConfig(
        ReplicaRole role,
        Promise promise,
        Trust trust,
        Limits limits,
        SortedSet<Long> members,
        Endpoint listen,
        Optional<Endpoint> leader,
        boolean lends) {
    public ReplicaConfig {
        Require.that(
                members.stream().allMatch(member -> member >= 0),
                "replicaMembers must be numbers of brokers, 0 or more");
        members = Collections.unmodifiableSortedSet(new TreeSet<>(members));
    }
}
