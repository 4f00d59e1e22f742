package gantry.net;

import gantry.base.Clock;
import gantry.base.Endpoint;
import gantry.base.Link;
import gantry.base.Network;
import gantry.base.Notices;
import gantry.base.Sequencer;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.PoolArenaMetric;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The real network: TCP over Netty, epoll where the machine has it, else NIO.
///
/// For:   listening and dialling in a real process.
/// Owner: itself; safe from any thread.
/// Never: the meaning of a frame.
public final class NettyNetwork implements Network, AutoCloseable {
    private static final int BACKLOG = 1024;

    // A pool of few and small chunks: 1 MiB each, one arena per event loop, nothing on the heap.
    private static final int PAGE_BYTES = 8192;
    private static final int CHUNK_ORDER = 7;
    private static final int CACHED_SMALL = 256;
    private static final int CACHED_NORMAL = 64;

    private static final String STOPPING = "this process is stopping";

    private final NetConfig config;
    private final Links links;
    private final Transport transport;
    private final PooledByteBufAllocator allocator;
    private final MultiThreadIoEventLoopGroup group;
    private final List<Loop> loops = new ArrayList<>();
    private final Set<Channel> listening = ConcurrentHashMap.newKeySet();
    private final Bootstrap dialling;
    private final Names names = new Names();
    private final AtomicLong linkIds = new AtomicLong();
    private final AtomicBoolean closed = new AtomicBoolean();

    /// @param faults told of a broken invariant that a session let out; other exceptions only close their link
    public NettyNetwork(NetConfig config, Notices notices, Sequencer.Faults faults) {
        this(config, notices, faults, new SystemClock(), Transport.best());
    }

    NettyNetwork(NetConfig config, Notices notices, Sequencer.Faults faults, Clock clock, Transport transport) {
        this.config = config;
        this.transport = transport;
        this.allocator = new PooledByteBufAllocator(
                true, 0, config.eventLoops(), PAGE_BYTES, CHUNK_ORDER, CACHED_SMALL, CACHED_NORMAL, false);
        this.links = new Links(config, allocator, notices, faults);
        this.group = new MultiThreadIoEventLoopGroup(
                config.eventLoops(), new DefaultThreadFactory("net", true), transport.waiting());
        long sweepNanos = sweepEvery(config).toNanos();
        for (EventExecutor executor : group) {
            loops.add(new Loop((EventLoop) executor, allocator, clock, sweepNanos));
        }
        this.dialling = new Bootstrap()
                .channelFactory(transport.sockets())
                .option(ChannelOption.ALLOCATOR, allocator)
                .option(ChannelOption.TCP_NODELAY, true);
    }

    @Override
    public Listener listen(Endpoint here, Acceptor acceptor) throws ListenFailed {
        Accepting accepting = new Accepting(acceptor);
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(group)
                .channelFactory(transport.servers())
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .handler(new AcceptWatch())
                .childOption(ChannelOption.ALLOCATOR, allocator)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(accepting);
        InetAddress address;
        try {
            address = InetAddress.getByName(here.host());
        } catch (UnknownHostException e) {
            throw Sentences.listenFailed(here, e);
        }
        ChannelFuture bound =
                bootstrap.bind(new InetSocketAddress(address, here.port())).awaitUninterruptibly();
        Throwable cause = bound.cause();
        if (cause != null) {
            throw Sentences.listenFailed(here, cause);
        }
        Channel channel = bound.channel();
        listening.add(channel);
        if (closed.get()) {
            channel.close();
        }
        return new Listening(channel, accepting, LinkHandler.endpoint(channel.localAddress()));
    }

    @Override
    public Link dial(Endpoint there, Acceptor acceptor) {
        long id = linkIds.incrementAndGet();
        Loop loop = loops.get((int) (id % loops.size()));
        NettyLink link = new NettyLink(id, false, there, loop, links);
        link.attach(acceptor.accept(link));
        links.counts().dialled.increment();
        try {
            loop.thread.execute(() -> begin(link, there, loop));
        } catch (RejectedExecutionException e) {
            link.ended("cannot connect to " + there + ": " + STOPPING);
        }
        return link;
    }

    public NetFigures figures() {
        Counts counts = links.counts();
        return new NetFigures(
                links.openLinks(),
                counts.accepted.sum(),
                counts.dialled.sum(),
                counts.refused.sum(),
                counts.strangers(),
                counts.overflowed.sum(),
                counts.idled.sum(),
                counts.faults.sum(),
                links.outboxBudget().usedBytes(),
                links.gatherBudget().usedBytes());
    }

    public int loopCount() {
        return loops.size();
    }

    /// Asks an event loop for a sign of life: `answer` is told the loop's thread, on that thread, as soon as the loop
    /// comes to it. A loop that does not answer is stuck, and so is every connection on it.
    ///
    /// @param loop from 0 to `loopCount` - 1
    public void probe(int loop, Consumer<Thread> answer) {
        try {
            loops.get(loop).thread.execute(() -> answer.accept(Thread.currentThread()));
        } catch (RejectedExecutionException e) {
            // The network is closed; a loop that has ended is not stuck.
            answer.accept(Thread.currentThread());
        }
    }

    /// Buffers of the pool that are in use or kept ready by an event loop.
    long activeBuffers() {
        return allocator.metric().directArenas().stream()
                .mapToLong(PoolArenaMetric::numActiveAllocations)
                .sum();
    }

    /// Looks after all links now, and returns when that is done.
    void sweep() {
        for (Loop loop : loops) {
            loop.thread.submit(loop::sweep).awaitUninterruptibly();
        }
    }

    /// Stops accepting, lets outboxes drain, closes every link and ends the event loops; at the latest after
    /// `stopTimeout`. Must not be called from inside a session.
    @Override
    public void close() {
        if (here() != null) {
            throw new IllegalStateException("a network cannot be closed from inside a session");
        }
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        long deadlineNanos = System.nanoTime() + config.stopTimeout().toNanos();
        for (Channel channel : listening) {
            channel.close();
        }
        List<CompletableFuture<?>> emptied = new ArrayList<>();
        for (Loop loop : loops) {
            loop.thread.execute(() -> loop.closeAll(STOPPING));
            emptied.add(loop.emptied());
        }
        CompletableFuture<Void> all = CompletableFuture.allOf(emptied.toArray(CompletableFuture<?>[]::new));
        // Half of the time for draining, the rest for cutting what did not and for ending the threads.
        if (!await(
                all,
                Math.min(config.drainTimeout().toNanos(), config.stopTimeout().toNanos() / 2))) {
            for (Loop loop : loops) {
                loop.thread.execute(() -> loop.cutAll(STOPPING));
            }
            await(all, (deadlineNanos - System.nanoTime()) / 2);
        }
        names.close();
        long leftNanos = Math.max(0, deadlineNanos - System.nanoTime());
        group.shutdownGracefully(0, leftNanos, TimeUnit.NANOSECONDS);
        if (group.terminationFuture().awaitUninterruptibly(leftNanos, TimeUnit.NANOSECONDS)) {
            for (Loop loop : loops) {
                loop.receive.release();
            }
        }
    }

    private void begin(NettyLink link, Endpoint there, Loop loop) {
        if (!loop.add(link)) {
            link.ended("cannot connect to " + there + ": " + STOPPING);
        } else if (!links.enter(there)) {
            link.ended("cannot connect to " + there + ": this process has too many connections");
        } else {
            link.entered();
            new Dial(link, there, loop, links, dialling).start(names);
        }
    }

    /// The loop on whose thread this is called.
    private @Nullable Loop here() {
        for (Loop loop : loops) {
            if (loop.thread.inEventLoop()) {
                return loop;
            }
        }
        return null;
    }

    private static boolean await(CompletableFuture<Void> all, long nanos) {
        try {
            all.get(Math.max(0, nanos), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException | ExecutionException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /// Often enough for the shortest limit, at most every half second.
    private static Duration sweepEvery(NetConfig config) {
        long shortest = Math.min(
                config.drainTimeout().toMillis(),
                Math.min(config.idleLimit().toMillis(), config.firstFrameLimit().toMillis()));
        return Duration.ofMillis(Math.clamp(shortest / 4, 10, 500));
    }

    private final class Listening implements Listener {
        private final Channel channel;
        private final Accepting accepting;
        private final Endpoint local;

        Listening(Channel channel, Accepting accepting, Endpoint local) {
            this.channel = channel;
            this.accepting = accepting;
            this.local = local;
        }

        @Override
        public Endpoint local() {
            return local;
        }

        @Override
        public void close() {
            listening.remove(channel);
            // The socket is closed on its event loop, a moment later; whom it lets in until then is turned away.
            accepting.ended = true;
            ChannelFuture gone = channel.close();
            if (here() == null) {
                gone.awaitUninterruptibly(config.stopTimeout().toMillis());
            }
        }
    }

    /// Makes the link of an accepted connection.
    private final class Accepting extends ChannelInitializer<Channel> {
        private final Acceptor acceptor;
        private volatile boolean ended;

        Accepting(Acceptor acceptor) {
            this.acceptor = acceptor;
        }

        @Override
        protected void initChannel(Channel channel) {
            Loop loop = here();
            Endpoint peer = LinkHandler.endpoint(channel.remoteAddress());
            if (ended || loop == null || !links.enter(peer)) {
                channel.close();
                return;
            }
            links.counts().accepted.increment();
            NettyLink link = new NettyLink(linkIds.incrementAndGet(), true, peer, loop, links);
            link.entered();
            if (!loop.add(link)) {
                link.ended(STOPPING);
                channel.close();
                return;
            }
            channel.config().setRecvByteBufAllocator(loop.receive);
            channel.pipeline().addLast(new LinkHandler(link, links, acceptor));
        }
    }

    /// Hears of connections that could not be accepted.
    private final class AcceptWatch extends ChannelInboundHandlerAdapter {
        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            links.acceptFailed(cause);
            context.fireExceptionCaught(cause);
        }
    }
}
