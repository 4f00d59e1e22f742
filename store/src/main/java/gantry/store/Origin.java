package gantry.store;

/// Who numbered the records of a copy.
///
/// For:   what a copied record may be that none of ours would.
/// Owner: none (immutable).
enum Origin {
    /// A member of the same replica group: its log has been the same from the beginning.
    MEMBER,

    /// A RocketMQ broker: its clock may have gone back, its log may begin in the middle of its queues, and the unused
    /// end of its files may hold anything.
    ROCKETMQ
}
