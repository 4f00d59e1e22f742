package gantry.replica.lead;

import gantry.replica.copy.Snapshot;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// What a leader's owner gives to members that copy its whole log.
///
/// For:   the owner of the log and of the state that is folded from it.
/// Owner: the log sequencer; calls come from inside it, must not block, and must not call the group again before
///        they return.
public interface CopySource {
    /// A snapshot of the folded state, at an offset from the log's begin to confirmOffset. It stays readable until
    /// `released`.
    ///
    /// @param wanted the number of the one that the member has a part of; 0 when it has none. It is given if it is
    ///        still there, else a new one
    /// @return null while it is being made: the question is asked again with every tick
    @Nullable
    Snapshot snapshot(long member, long wanted);

    /// Whether the log from the end of a copy on can be added to it, whose state is that of the log up to
    /// `snapshotOffset`; else the copy begins anew.
    boolean fits(long snapshotOffset);

    /// Bytes of a part, at most `maxBytes` from `offset` on. They stay as they are until the next call.
    ///
    /// @return nothing when they are not at hand now; then `ReplicaGroup.readable` follows once they are
    ByteBuffer read(Snapshot snapshot, int part, long offset, int maxBytes);

    /// The member needs no snapshot any more, until it asks for one again.
    void released(long member);

    /// Retention must keep the log from `offset` on, `Long.MAX_VALUE`: whatever it wants. A member's copy holds it
    /// for as long as it gets on, and for a minute after its link has ended. Whoever drops more nevertheless,
    /// because the disk is full, makes the copy begin anew.
    void keepFrom(long offset);
}
