package gantry.replica.follow;

import gantry.replica.epoch.Epoch;
import gantry.replica.epoch.LogId;
import java.nio.ByteBuffer;

/// What the follower's side asks of its log.
///
/// For:   the owner of the log.
/// Owner: the log sequencer; calls come from inside it, must not block, and must not call `Following` again
///        before they return.
///
/// Everything is carried out in the order of the calls: when a position is told to `Following.written` or
/// `synced`, so is, in the same sense, whatever was asked before it. So no byte of an epoch is kept without the
/// epoch.
public interface FollowerLog {
    /// How long each file of it is; 0 where that does not matter.
    long fileBytes();

    /// From now on this is a copy of `logId`, of a leader with this epoch; no older epoch is followed any more.
    void follows(LogId logId, long reign);

    /// What is appended next belongs to this epoch.
    void begins(Epoch epoch);

    /// Appends whole records behind the log's end, after checking each. They stand in `frame` from `at` on, for
    /// the length of this call. The answers are `Following.written` and `synced`, or `Following.rejected`.
    void append(long offset, ByteBuffer frame, int at, int length, long leaderMillis);

    /// Takes away everything from `end` on, keeping it aside. The answer is `Following.cut`, once that is on
    /// disk.
    void cutBack(long end);

    /// Everything below may be shown; rises with each call.
    void confirmed(long confirmOffset);
}
