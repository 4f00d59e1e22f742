package gantry.net;

import gantry.base.Network;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Cuts the bytes of one connection into frames.
///
/// For:   handing over whole frames in place, out of the chunk they were received in.
/// Owner: the link's event loop.
/// Never: copies a frame that lies whole in one chunk; believes a claimed length before the bytes are there.
/// Holds: NET-1 the gather buffer grows with the bytes received, to at most twice of them (4096 at least);
///        NET-2 unless stopped, the gather buffer holds the beginning of one frame and nothing else.
///
/// ```
///   chunk  [ …end of A | B | C | D | begin of E… ]
///             │          └───┴───┴─ in place ──▶ sink
///   gather [ begin of A… + end of A ] ─────────▶ sink          then [ begin of E… ]
/// ```
final class FrameCutter {
    /// Bytes of the length field, which does not count itself.
    static final int LENGTH_BYTES = 4;

    private static final int LEAST_GATHER_BYTES = 4096;

    /// Takes the frames.
    interface Sink {
        /// @return false to stop after this frame; what is left waits for `resume`
        boolean frame(ByteBuffer bytes, int offset, int length);
    }

    private final ByteBufAllocator allocator;
    private final Budget budget;
    private final Sink sink;

    private @Nullable ByteBuf gather;
    /// What the budget was asked for.
    private int gatherCapacity;
    /// Bytes of `gather` that are handed over already; above zero only while stopped.
    private int gatherFrom;

    private int limit = Network.MAX_FRAME_BYTES;
    /// Whether what comes is handed over as it is.
    private boolean uncut;

    private boolean stopped;
    private boolean released;
    private long frames;

    FrameCutter(ByteBufAllocator allocator, Budget budget, Sink sink) {
        this.allocator = allocator;
        this.budget = budget;
        this.sink = sink;
    }

    /// Cuts `chunk` from `from` to `to`.
    ///
    /// @param view the same bytes at the same positions
    /// @return null when all is well, else what makes these bytes no frame: the connection must be closed
    @Nullable
    Stranger feed(ByteBuf chunk, ByteBuffer view, int from, int to) {
        int at = from;
        while (gather != null && !stopped && at < to) {
            int have = gather.writerIndex();
            int want = have < LENGTH_BYTES ? LENGTH_BYTES : frameBytes(gather.getInt(0));
            int take = Math.min(want - have, to - at);
            Stranger fault = keep(chunk, at, at + take, Math.max(want, LEAST_GATHER_BYTES));
            at += take;
            if (fault == null && have + take == want) {
                if (have < LENGTH_BYTES) {
                    fault = check(gather.getInt(0));
                } else {
                    handGathered(gather, want);
                }
            }
            if (fault != null) {
                return fault;
            }
        }
        if (stopped) {
            return keep(chunk, at, to, Integer.MAX_VALUE);
        }
        Cut cut = cut(view, at, to);
        return cut.fault != null ? cut.fault : keep(chunk, cut.at, to, cut.length);
    }

    /// Goes on after the sink had stopped it.
    @Nullable
    Stranger resume() {
        stopped = released;
        ByteBuf kept = gather;
        if (kept == null || released) {
            return null;
        }
        Cut cut = cut(kept.nioBuffer(0, kept.writerIndex()), gatherFrom, kept.writerIndex());
        gatherFrom = cut.at;
        if (cut.fault != null || stopped) {
            return cut.fault;
        }
        // The rest moves to the front of a buffer of its own size.
        int size = gatherCapacity;
        gather = null;
        gatherCapacity = 0;
        gatherFrom = 0;
        budget.give(size);
        Stranger fault = keep(kept, cut.at, kept.writerIndex(), cut.length);
        kept.release();
        return fault;
    }

    /// The largest frame, its length field included, of those that begin from now on.
    void limit(int bytes) {
        limit = Math.min(bytes, Network.MAX_FRAME_BYTES);
    }

    /// From now on nothing is cut.
    void takeAsItComes() {
        uncut = true;
    }

    /// Whether the beginning of a frame waits for the rest of it.
    boolean isUnfinished() {
        return gather != null && !stopped;
    }

    int gatheredBytes() {
        return gather == null ? 0 : gather.writerIndex() - gatherFrom;
    }

    /// How many whole frames have come.
    long frames() {
        return frames;
    }

    /// Drops what is gathered; nothing is handed over any more.
    void release() {
        released = true;
        stopped = true;
        dropGather();
    }

    /// Where cutting ended and why: a fault, too few bytes for a frame of `length`, or stopped.
    private record Cut(int at, int length, @Nullable Stranger fault) {}

    private Cut cut(ByteBuffer view, int from, int to) {
        int at = from;
        if (uncut && at < to && !stopped) {
            frames++;
            stopped = !sink.frame(view, at, to - at) || stopped;
            at = to;
        }
        while (to - at >= LENGTH_BYTES && !stopped) {
            int word = view.getInt(at);
            Stranger fault = check(word);
            int length = frameBytes(word);
            if (fault != null || to - at < length) {
                return new Cut(at, length, fault);
            }
            frames++;
            stopped = !sink.frame(view, at, length) || stopped;
            at += length;
        }
        return new Cut(at, Integer.MAX_VALUE, null);
    }

    private void handGathered(ByteBuf whole, int length) {
        frames++;
        try {
            stopped = !sink.frame(whole.nioBuffer(0, length), 0, length) || stopped;
        } finally {
            dropGather();
        }
    }

    /// Appends to the gather buffer, which grows to at most `want` bytes while that is enough.
    private @Nullable Stranger keep(ByteBuf chunk, int from, int to, int want) {
        int count = to - from;
        if (count == 0 || released) {
            return null;
        }
        ByteBuf kept = gather;
        int have = kept == null ? 0 : kept.writerIndex();
        int need = have + count;
        if (need > gatherCapacity) {
            int grown = Math.max(need, Math.min(want, Math.max(LEAST_GATHER_BYTES, 2 * gatherCapacity)));
            if (!budget.take(grown - gatherCapacity)) {
                return Stranger.CROWD;
            }
            gatherCapacity = grown;
            if (kept != null) {
                kept.capacity(grown);
            }
        }
        if (kept == null) {
            kept = allocator.directBuffer(gatherCapacity);
            gather = kept;
        }
        kept.setBytes(have, chunk, from, count);
        kept.writerIndex(need);
        return null;
    }

    private void dropGather() {
        ByteBuf kept = gather;
        if (kept != null) {
            gather = null;
            gatherFrom = 0;
            budget.give(gatherCapacity);
            gatherCapacity = 0;
            kept.release();
        }
    }

    private @Nullable Stranger check(int word) {
        boolean sane = word >= Stranger.LEAST_CONTENT_BYTES && word <= limit - LENGTH_BYTES;
        return sane ? null : Stranger.of(word, frames == 0);
    }

    private static int frameBytes(int word) {
        return word + LENGTH_BYTES;
    }
}
