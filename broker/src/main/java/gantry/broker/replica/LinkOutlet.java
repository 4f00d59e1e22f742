package gantry.broker.replica;

import gantry.base.Link;
import gantry.replica.frame.Outlet;
import java.nio.ByteBuffer;

/// A link as the protocol's machines see it.
///
/// For:   both sides of a replication link.
/// Owner: none (stateless).
record LinkOutlet(Link link) implements Outlet {
    @Override
    public boolean send(byte[] head, int length, ByteBuffer payload) {
        return payload.hasRemaining() ? link.send(head, 0, length, payload) : link.send(head, 0, length);
    }

    @Override
    public void close(String reason) {
        link.close(reason);
    }
}
