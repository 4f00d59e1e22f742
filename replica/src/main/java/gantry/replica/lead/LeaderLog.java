package gantry.replica.lead;

import java.nio.ByteBuffer;

/// What the leader's side reads of its log.
///
/// For:   batches that go out as they are stored.
/// Owner: the log sequencer; calls come from inside it and must not block.
public interface LeaderLog {
    /// The oldest offset that is still there.
    long begin();

    /// How long each file of it is; 0 where that does not matter.
    long fileBytes();

    /// Whole records from `from` on and below `to`: as many as fit `maxBytes`, or the first alone if it is
    /// larger. The bytes stay as they are until the next call.
    ///
    /// @return nothing when they are not at hand now; then `ReplicaGroup.readable` follows once they are
    ByteBuffer read(long from, long to, int maxBytes);
}
