package gantry.replica.lead;

/// What the leader's side tells whoever owns it.
///
/// For:   the owner of the log.
/// Owner: the log sequencer; calls come from inside it, and must not call the group again before they return.
public interface LeaderOwner {
    /// Everything below is held as promised; rises with each call.
    void confirmed(long confirmOffset);

    /// A member has followed a newer epoch than ours: with static roles the leader begins an epoch above it, with
    /// elected leaders it steps down.
    void outranked(long member, long epoch);
}
