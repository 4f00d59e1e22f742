package gantry.net;

import gantry.base.Endpoint;
import gantry.base.Link;
import gantry.base.Network;
import gantry.base.Notices;
import gantry.base.Sequencer;

/// The real network: TCP over Netty, epoll where the machine has it, else NIO.
///
/// For:   listening and dialling in a real process.
/// Owner: itself; safe from any thread.
/// Never: the meaning of a frame.
public final class NettyNetwork implements Network, AutoCloseable {
    private final NetConfig config;

    /// @param faults told of an `Error` that a session let out; an exception only closes its link
    public NettyNetwork(NetConfig config, Notices notices, Sequencer.Faults faults) {
        this.config = config;
    }

    @Override
    public Listener listen(Endpoint here, Acceptor acceptor) throws ListenFailed {
        throw new UnsupportedOperationException(config.toString());
    }

    @Override
    public Link dial(Endpoint there, Acceptor acceptor) {
        throw new UnsupportedOperationException(config.toString());
    }

    /// Stops accepting, lets outboxes drain, closes every link and ends the event loops; at the latest after
    /// `stopTimeout`. Not from inside a session.
    @Override
    public void close() {}
}
