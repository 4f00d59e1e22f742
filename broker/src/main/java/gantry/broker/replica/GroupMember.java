package gantry.broker.replica;

import gantry.base.Endpoint;
import gantry.base.Network;
import gantry.replica.hello.Identity;
import gantry.store.OpenFailed;
import java.util.Optional;
import java.util.function.Supplier;

/// A broker's place in its replica group, for as long as its store is open.
///
/// For:   `BrokerNode`, which asks what it may do now.
/// Owner: itself; every method may be called from any thread, unless it says otherwise.
public interface GroupMember {
    /// Takes a store that was just opened, as its configured role says. Waits for the disk.
    ///
    /// @param leader where a leader can be reached, asked whenever a connection is to be made
    /// @param state what a leader gives to who copies its whole log
    static GroupMember begin(
            ReplicaConfig config,
            Identity self,
            Supplier<Optional<Endpoint>> leader,
            StateParts state,
            MemberGround ground)
            throws OpenFailed {
        MemberFile file = new MemberFile(ground.disk(), ground.offload(), ground.faults());
        return switch (config.role()) {
            case LEADER -> LeadingMember.begin(config, self, state, ground, file);
            case FOLLOWER -> FollowingMember.begin(config, self, leader, ground, file);
        };
    }

    /// Once the broker can be reached: opens what others connect to, or connects. Called once.
    ///
    /// @return where followers connect; empty for who leads nobody
    Optional<Endpoint> start(Network network) throws Network.ListenFailed;

    /// Whether it takes messages and changes: it leads, and what the log held when it began to lead is confirmed.
    boolean leads();

    /// Whether it may lead as it is, now or in a moment.
    boolean mayLead();

    /// Whether it leads a log with messages that was no group's before: its state may stand in no fact.
    default boolean bringsALog() {
        return false;
    }

    /// Why sends are refused for now, in a sentence; empty when they are taken.
    Optional<String> refusesSends();

    /// Where the log has to be changed before this member can go on: the store is closed, changed and opened anew.
    Optional<Reopening> reopening();

    ReplicaStatus status();

    /// Takes leave of the others. Called once, before the store is closed.
    void stop();
}
