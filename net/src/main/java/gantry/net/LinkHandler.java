package gantry.net;

import gantry.base.Endpoint;
import gantry.base.Network.Acceptor;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// Tells a link what its channel does.
///
/// For:   the one handler of each connection's pipeline.
/// Owner: the event loop of its channel.
/// Never: decides anything; the link does.
final class LinkHandler extends ChannelInboundHandlerAdapter {
    private final NettyLink link;
    private final Links links;
    private final @Nullable Acceptor acceptor;

    /// @param acceptor makes the session once the channel is open; null when the link has one already
    LinkHandler(NettyLink link, Links links, @Nullable Acceptor acceptor) {
        this.link = link;
        this.links = links;
        this.acceptor = acceptor;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        Channel channel = context.channel();
        if (!link.opened(channel, endpoint(channel.localAddress()), endpoint(channel.remoteAddress()))) {
            channel.close();
            return;
        }
        if (acceptor != null) {
            link.attach(acceptor.accept(link));
        }
        link.start();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf chunk = (ByteBuf) message;
        try {
            link.received(chunk);
        } finally {
            chunk.release();
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        link.burstEnded();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        link.ended("the other side closed the connection");
    }

    /// Also comes when the channel never became active; a dialled link then tries its next address.
    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        if (acceptor != null) {
            link.ended("the connection broke while it was accepted");
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (cause instanceof IOException) {
            link.cut(Sentences.broken(cause));
        } else {
            links.fault(link, cause);
        }
    }

    static Endpoint endpoint(@Nullable SocketAddress address) {
        if (address instanceof InetSocketAddress inet && inet.getAddress() != null) {
            return new Endpoint(inet.getAddress().getHostAddress(), inet.getPort());
        }
        return new Endpoint("0.0.0.0", 0);
    }
}
