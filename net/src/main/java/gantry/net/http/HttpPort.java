package gantry.net.http;

import gantry.base.Endpoint;
import gantry.base.Network.ListenFailed;
import gantry.base.Notices;
import gantry.net.RateLimit;
import gantry.net.Sentences;
import gantry.net.Transport;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/// A port that answers HTTP requests for a few pages.
///
/// For:   health and metrics.
/// Owner: itself; its pages are asked on its own thread.
/// Never: keeps a connection after its answer; more than `MOST_CONNECTIONS`, none longer than `LONGEST`; reads a body.
public final class HttpPort implements AutoCloseable {
    /// When one more comes, the one that is there longest has to go.
    public static final int MOST_CONNECTIONS = 16;

    /// From the first sight of a connection until its answer is out.
    public static final Duration LONGEST = Duration.ofSeconds(5);

    public static final int MOST_LINE_BYTES = 1024;
    public static final int MOST_HEADER_BYTES = 8 * 1024;

    private static final int READ_BYTES = 2 * 1024;
    private static final int BACKLOG = 64;
    private static final Duration STOP_LIMIT = Duration.ofSeconds(1);

    private final MultiThreadIoEventLoopGroup group;
    private final Channel listening;
    private final Endpoint local;
    private final Map<Turned, LongAdder> turned;

    private HttpPort(MultiThreadIoEventLoopGroup group, Channel listening, Map<Turned, LongAdder> turned) {
        this.group = group;
        this.listening = listening;
        this.turned = turned;
        InetSocketAddress address = (InetSocketAddress) listening.localAddress();
        this.local = new Endpoint(address.getAddress().getHostAddress(), address.getPort());
    }

    public static HttpPort open(Endpoint here, Pages pages, Notices notices) throws ListenFailed {
        InetAddress address;
        try {
            address = InetAddress.getByName(here.host());
        } catch (UnknownHostException e) {
            throw Sentences.listenFailed(here, e);
        }
        Transport transport = Transport.best();
        MultiThreadIoEventLoopGroup group =
                new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory("admin", true), transport.waiting());
        Map<Turned, LongAdder> turned = new EnumMap<>(Turned.class);
        for (Turned why : Turned.values()) {
            turned.put(why, new LongAdder());
        }
        RateLimit tell = new RateLimit();
        Notices limited = (level, text) -> {
            if (tell.allow()) {
                notices.tell(level, text + tell.heldBack());
            }
        };
        Crowd crowd = new Crowd(why -> count(turned, why));
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(group)
                .channelFactory(transport.servers())
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .option(ChannelOption.ALLOCATOR, UnpooledByteBufAllocator.DEFAULT)
                .childOption(ChannelOption.ALLOCATOR, UnpooledByteBufAllocator.DEFAULT)
                .childOption(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(READ_BYTES))
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        HttpExchange.begin(channel, crowd, pages, limited);
                    }
                });
        ChannelFuture bound =
                bootstrap.bind(new InetSocketAddress(address, here.port())).awaitUninterruptibly();
        Throwable cause = bound.cause();
        if (cause != null) {
            end(group);
            throw Sentences.listenFailed(here, cause);
        }
        return new HttpPort(group, bound.channel(), turned);
    }

    private static void count(Map<Turned, LongAdder> turned, Turned why) {
        LongAdder count = turned.get(why);
        if (count != null) {
            count.increment();
        }
    }

    public Endpoint local() {
        return local;
    }

    /// How many got no page, and why.
    public Map<Turned, Long> turned() {
        Map<Turned, Long> counts = new EnumMap<>(Turned.class);
        turned.forEach((why, count) -> counts.put(why, count.sum()));
        return counts;
    }

    @Override
    public void close() {
        listening.close();
        end(group);
    }

    private static void end(MultiThreadIoEventLoopGroup group) {
        group.shutdownGracefully(0, STOP_LIMIT.toMillis(), TimeUnit.MILLISECONDS)
                .awaitUninterruptibly(STOP_LIMIT.toMillis());
    }
}
