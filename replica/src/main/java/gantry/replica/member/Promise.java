package gantry.replica.member;

import gantry.base.Require;

/// What an acknowledgement promises: how many members have a message, and how.
///
/// For:   choosing when `confirmOffset` passes a record, and saying so in plain words.
/// Owner: none (immutable).
///
/// @param members how many members have it, the leader counted
/// @param onDisk true: on disk, survives the loss of power; false: written, survives the end of the process
public record Promise(int members, boolean onDisk) {
    public Promise {
        Require.that(members >= 1, "an acknowledgement needs one member at least");
    }

    /// From RocketMQ's settings. `SYNC_MASTER` means two members at least, also where RocketMQ 5 would be
    /// content with the master alone; the larger of the two numbers counts. Every member of the sync-state set
    /// is always waited for, so that `allAckInSyncStateSet` changes nothing.
    ///
    /// @param syncMaster brokerRole is SYNC_MASTER, not ASYNC_MASTER
    /// @param syncFlush flushDiskType is SYNC_FLUSH, not ASYNC_FLUSH
    public static Promise of(boolean syncMaster, boolean syncFlush, int inSyncReplicas, int minInSyncReplicas) {
        int members = syncMaster ? Math.max(2, Math.max(inSyncReplicas, minInSyncReplicas)) : 1;
        return new Promise(members, syncFlush);
    }

    /// The position that counts of the two.
    public long counted(long written, long synced) {
        return onDisk ? synced : written;
    }

    /// Such as `answered when 2 members have it on disk`.
    public String words() {
        String who = members == 1 ? "the leader has" : members + " members have";
        return "answered when " + who + " it " + (onDisk ? "on disk" : "written");
    }
}
