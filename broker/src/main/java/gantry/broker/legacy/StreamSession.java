package gantry.broker.legacy;

import gantry.base.Link;
import gantry.base.Network;
import gantry.base.Published;
import gantry.store.MemberLog;
import java.nio.ByteBuffer;

/// One connection of RocketMQ's own replication: its bytes on their way into the log sequencer, in order.
///
/// For:   both sides of such a link.
/// Owner: the link's event loop; the machine belongs to the log sequencer.
/// Never: looks at a byte.
final class StreamSession implements Network.Session {
    /// The side of the link that understands the bytes; called inside the log sequencer.
    interface Machine {
        void take(ByteBuffer bytes, int at, int length);

        void closed(String reason);
    }

    /// What may wait for the log sequencer.
    private static final long MOST_WAITING_BYTES = 24L << 20;

    private final MemberLog log;
    private final Link link;
    private final Machine machine;
    private long queuedBytes;

    /// Belongs to the log sequencer; read by the event loop.
    private final Published takenBytes = new Published(0);

    StreamSession(MemberLog log, Link link, Machine machine) {
        this.log = log;
        this.link = link;
        this.machine = machine;
        link.takeAsItComes();
    }

    @Override
    public void frame(ByteBuffer bytes, int at, int length) {
        // Nothing may overtake what waits already.
        if (queuedBytes == takenBytes.read() && log.submitIfIdle(() -> machine.take(bytes, at, length))) {
            return;
        }
        queuedBytes += length;
        if (queuedBytes - takenBytes.read() > MOST_WAITING_BYTES) {
            link.close("the log is busy, and more than " + MOST_WAITING_BYTES + " bytes of this link wait for it");
            return;
        }
        ByteBuffer kept = ByteBuffer.allocate(length);
        kept.put(0, bytes, at, length);
        long taken = queuedBytes;
        log.submitAlways(() -> {
            machine.take(kept, 0, length);
            takenBytes.advance(taken);
        });
    }

    @Override
    public void burstEnded() {}

    @Override
    public void closed(String reason) {
        log.submitAlways(() -> machine.closed(reason));
    }
}
