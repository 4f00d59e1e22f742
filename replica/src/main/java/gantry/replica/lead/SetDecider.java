package gantry.replica.lead;

/// Decides who is in the sync-state set.
///
/// For:   whoever has the last word: `StaticSet` where roles are configured, the controller where leaders are
///        elected.
/// Owner: the log sequencer; calls come from inside it.
public interface SetDecider {
    /// The set should become `wanted`. The answer is `asker.decided`, from inside the log sequencer, at once or
    /// later; until then the members of both sets are waited for. Asked again while there is no answer.
    void propose(SyncSet wanted, ReplicaGroup asker);
}
