package gantry.control.nameserver;

import gantry.base.Clock;
import gantry.base.Link;
import gantry.base.Network;
import gantry.base.Notices;
import gantry.base.Offload;
import gantry.base.Sequencer;
import java.nio.ByteBuffer;

/// A nameserver, but for its sockets and its clock.
///
/// For:   accepting links and answering what comes on them.
/// Owner: the routes sequencer owns the route table; each session is its link's.
/// Never: listens, dials, starts threads.
public final class NameserverNode implements Network.Acceptor {
    /// How often `tick` wants to be called.
    public static final long TICK_MILLIS = 500;

    /// @param shelf read here, once
    /// @throws IllegalArgumentException when what the shelf kept cannot be read; nothing is overwritten then
    public NameserverNode(
            NameserverConfig config,
            Clock clock,
            Offload offload,
            Notices notices,
            Sequencer.Faults faults,
            KeyValueShelf shelf) {}

    @Override
    public Network.Session accept(Link link) {
        return new Network.Session() {
            @Override
            public void frame(ByteBuffer frame, int offset, int length) {
                link.close("this nameserver answers nothing yet");
            }

            @Override
            public void burstEnded() {}

            @Override
            public void closed(String reason) {}
        };
    }

    /// Expires brokers whose promise has run out; call it every `TICK_MILLIS`.
    public void tick() {}
}
