package gantry.replica.follow;

import gantry.replica.copy.CopyPlan;
import java.nio.ByteBuffer;

/// What the follower's side asks of whoever keeps a copy beside the old log.
///
/// For:   the owner of the log and of the state that is folded from it.
/// Owner: the log sequencer; calls come from inside it, must not block, and must not call `Copying` again before
///        they return. Everything is carried out in the order of the calls.
///
/// What is kept must survive the end of the process: at its next start the owner says what it holds, a `SideCopy`,
/// with fewer bytes where the last ones were lost, or none.
public interface CopyTarget {
    /// A copy begins at `from`: at 0 whatever was there of another is thrown away first, else it goes on. The plan
    /// is kept with it, before any byte. Room is asked for all that is to come, and for what the owner needs
    /// besides. The answer is `Copying.begun` or `Copying.noRoom`.
    void begin(CopyPlan plan, long from);

    /// Bytes of a part of the snapshot from `offset` on. They stand in `frame` from `at` on, for the length of this
    /// call. The answer is `Copying.written`, or `Copying.rejected`.
    void part(int part, long offset, ByteBuffer frame, int at, int length);

    /// Whole records from the log offset `offset` on, each of which is checked before it is kept. They stand in
    /// `frame` from `at` on, for the length of this call. The answer is `Copying.written`, or `Copying.rejected`.
    void append(long offset, ByteBuffer frame, int at, int length);

    /// The copy is whole. It is put on disk, becomes the log, with the state of its snapshot, and the old log is set
    /// aside; `plan.keepOld` says that an operator has to see that. All of it happens or nothing, whenever the
    /// process ends. The answer is `Copying.switched`.
    ///
    /// @param confirm the new log's confirmOffset
    /// @param seen the newest epoch that was followed, which is kept
    void switchOver(CopyPlan plan, long confirm, long seen);

    /// The copy is not needed any more.
    void discard();
}
