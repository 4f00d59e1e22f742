package gantry.replica.lead;

/// Lets the leader itself decide, at once: where roles are configured nobody else could ever lead.
///
/// For:   groups without a controller.
/// Owner: none (stateless).
public final class StaticSet implements SetDecider {
    @Override
    public void propose(SyncSet wanted, ReplicaGroup asker) {
        asker.decided(wanted);
    }
}
