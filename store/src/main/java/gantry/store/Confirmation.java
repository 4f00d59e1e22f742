package gantry.store;

/// Who says that a record can no longer be taken back.
///
/// For:   a store that stands alone, and one that is the log of a member of a replica group.
/// Owner: none (immutable).
public enum Confirmation {
    /// The store itself, as soon as its `Durability` is reached.
    BY_STORE,
    /// Whoever owns the log, because others hold it too; see `MemberLog`.
    BY_OWNER
}
