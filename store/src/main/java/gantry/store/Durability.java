package gantry.store;

/// What a confirmed record survives.
///
/// For:   choosing when `confirmOffset` passes a record.
/// Owner: none (immutable).
public enum Durability {
    /// Handed to the operating system: survives the end of this process, not the loss of power.
    /// (`flushDiskType=ASYNC_FLUSH`)
    WRITTEN,
    /// On disk: survives the loss of power. (`flushDiskType=SYNC_FLUSH`)
    SYNCED
}
