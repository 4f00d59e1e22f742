package gantry.broker.session;

import gantry.wire.frame.ResponseCodes;

/// What a sender is told whose message is stored, but not confirmed in time: it may be there later, or not.
///
/// For:   answers of sends.
/// Owner: none (immutable).
public record LateAnswer(int code, String remark) {
    /// One member is enough, so it is the disk.
    public static final LateAnswer DISK =
            new LateAnswer(ResponseCodes.FLUSH_DISK_TIMEOUT, "stored, but the disk has not synced it in time");

    /// Others have to have it too.
    public static final LateAnswer MEMBERS = new LateAnswer(
            ResponseCodes.FLUSH_SLAVE_TIMEOUT,
            "stored here, but too few members of the group have said in time that they have it");
}
