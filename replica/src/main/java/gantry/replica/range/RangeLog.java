package gantry.replica.range;

import gantry.replica.frame.RangeDigest;
import java.nio.ByteBuffer;
import java.util.List;

/// What comparing and mending ask of a log, on either side.
///
/// For:   the owner of the log.
/// Owner: the log sequencer; calls come from inside it and must not block. Answers come inside it as well, later,
///        never within a call of this module.
/// Never: work inside the log sequencer that grows with the range: looking and mending are done outside.
public interface RangeLog {
    /// Gets the outcome of a look.
    interface Seen {
        void seen(RangeSeen what, long nowNanos);
    }

    /// Gets the outcome of a mend.
    interface Done {
        void done(RangeDone what, long nowNanos);
    }

    /// What is rotten and not mended, as far as it is known: what a scrubber has found, and what was rotten in a look.
    List<RottenRange> rotten();

    /// Looks at what lies next: whole messages below `to`, as many as are sound and fit `mostBytes`, or the first
    /// alone.
    void look(long from, long to, int mostBytes, Seen answer);

    /// Looks at exactly this range; the digest is told whether it is sound or not.
    void lookAt(long from, long to, Seen answer);

    /// As `look`, with the bytes, for a member whose own are rotten.
    void give(long from, long to, int mostBytes, Seen answer);

    /// Puts bytes in the place of what is rotten, after each message of them and the digest have been checked. What is
    /// sound is not written over.
    ///
    /// @param bytes not changed by anybody until the answer
    void mend(long from, ByteBuffer bytes, RangeDigest digest, Done answer);
}
