package gantry.broker.replica;

/// What a broker is in its group.
///
/// For:   configuration and status.
/// Owner: none (immutable).
public enum ReplicaRole {
    /// Takes sends; others copy from it (`ASYNC_MASTER`, `SYNC_MASTER`).
    LEADER,
    /// Copies, and lets read what is confirmed (`SLAVE`).
    FOLLOWER
}
