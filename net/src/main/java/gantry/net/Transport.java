package gantry.net;

import io.netty.channel.ChannelFactory;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;

/// Which of the system's ways to wait for sockets is used.
///
/// For:   epoll where the machine has it, NIO elsewhere, behind one set of factories.
/// Owner: none (immutable).
/// Never: anything else that differs between them.
public record Transport(
        String name,
        IoHandlerFactory waiting,
        ChannelFactory<? extends ServerChannel> servers,
        ChannelFactory<? extends SocketChannel> sockets) {

    public static Transport best() {
        return Epoll.isAvailable() ? epoll() : nio();
    }

    static Transport epoll() {
        return new Transport(
                "epoll", EpollIoHandler.newFactory(), EpollServerSocketChannel::new, EpollSocketChannel::new);
    }

    static Transport nio() {
        return new Transport("nio", NioIoHandler.newFactory(), NioServerSocketChannel::new, NioSocketChannel::new);
    }
}
