package gantry.broker.replica;

import gantry.base.Clock;
import gantry.base.Link;
import gantry.base.Network;
import gantry.base.Published;
import gantry.store.MemberLog;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// One replication connection: its frames on their way into the log sequencer, in order.
///
/// ```
///   event loop ── frame ─┬─ nobody inside: taken right there, where it lies ─▶ machine
///                        └─ somebody inside: copied, and queued (bounded) ────▶ machine
/// ```
/// For:   both sides of a replication link.
/// Owner: the link's event loop; the machine belongs to the log sequencer.
/// Never: looks into a frame.
final class LinkSession implements Network.Session {
    /// The side of the link that understands frames.
    interface Machine {
        void frame(ByteBuffer frame, int at, int length, long nowNanos);

        void closed(long nowNanos);
    }

    /// Makes the machine of a link, inside the log sequencer; null when nobody wants the link any more.
    interface Maker {
        @Nullable
        Machine make(Link link, long nowNanos);
    }

    /// What a frame may have before two have come, which is as many as the other side needs to prove itself.
    static final int GREETING_BYTES = 1_024;

    private static final int GREETING_FRAMES = 2;

    /// What may wait for the log sequencer; a peer that keeps to its credit stays below.
    private static final long MOST_WAITING_BYTES = 24L * 1024 * 1024;

    private final MemberLog log;
    private final Clock clock;
    private final Link link;
    private final int mostBytes;
    private int frames;
    private long queuedBytes;
    /// Belongs to the log sequencer.
    private @Nullable Machine machine;

    /// Belongs to the log sequencer; read by the event loop.
    private final Published takenBytes = new Published(0);

    /// @param mostBytes of a frame after the greeting
    LinkSession(MemberLog log, Clock clock, Link link, int mostBytes, Maker maker) {
        this.log = log;
        this.clock = clock;
        this.link = link;
        this.mostBytes = mostBytes;
        link.limitFrames(GREETING_BYTES);
        log.submitAlways(() -> machine = maker.make(link, clock.nanos()));
    }

    @Override
    public void frame(ByteBuffer frame, int offset, int length) {
        frames++;
        if (frames == GREETING_FRAMES) {
            link.limitFrames(mostBytes);
        }
        if (log.submitIfIdle(() -> take(frame, offset, length))) {
            return;
        }
        queuedBytes += length;
        if (queuedBytes - takenBytes.read() > MOST_WAITING_BYTES) {
            link.close("the log is busy, and more than " + MOST_WAITING_BYTES + " bytes of this link wait for it");
            return;
        }
        ByteBuffer kept = ByteBuffer.allocate(length);
        kept.put(0, frame, offset, length);
        long taken = queuedBytes;
        boolean queued = log.submit(() -> {
            takenBytes.advance(taken);
            take(kept, 0, length);
        });
        if (!queued) {
            link.close("the log is too busy to take frames");
        }
    }

    private void take(ByteBuffer frame, int at, int length) {
        if (machine != null) {
            machine.frame(frame, at, length, clock.nanos());
        }
    }

    @Override
    public void burstEnded() {}

    @Override
    public void closed(String reason) {
        log.submitAlways(() -> {
            if (machine != null) {
                machine.closed(clock.nanos());
            }
        });
    }
}
