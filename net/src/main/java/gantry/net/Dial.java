package gantry.net;

import gantry.base.Endpoint;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.util.NetUtil;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Connects one link: looks the name up, tries its addresses one after another, within one time limit.
///
/// For:   `NettyNetwork.dial`.
/// Owner: the link's event loop.
/// Never: tries again after a failure; whoever dialled decides.
final class Dial {
    private final NettyLink link;
    private final Links links;
    private final Endpoint there;
    private final Loop loop;
    private final Bootstrap bootstrap;
    private final long limitMillis;
    private final long deadlineNanos;
    private @Nullable ScheduledFuture<?> timer;
    private @Nullable ChannelFuture attempt;

    Dial(NettyLink link, Endpoint there, Loop loop, Links links, Bootstrap bootstrap) {
        this.link = link;
        this.there = there;
        this.loop = loop;
        this.links = links;
        this.bootstrap = bootstrap;
        this.limitMillis = links.config().connectTimeout().toMillis();
        this.deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(limitMillis);
    }

    void start(Names names) {
        timer = loop.thread.schedule(this::late, limitMillis, TimeUnit.MILLISECONDS);
        byte[] literal = NetUtil.createByteArrayFromIpAddressString(there.host());
        if (literal != null) {
            try {
                connect(new InetAddress[] {InetAddress.getByAddress(literal)}, 0);
            } catch (UnknownHostException e) {
                fail(Sentences.of(e));
            }
            return;
        }
        names.lookUp(there.host()).whenCompleteAsync(this::found, loop.thread);
    }

    private void found(InetAddress @Nullable [] addresses, @Nullable Throwable failure) {
        if (failure != null) {
            fail(Sentences.connectFailed(failure, limitMillis));
        } else if (addresses != null && link.isConnecting()) {
            connect(addresses, 0);
        }
    }

    private void connect(InetAddress[] addresses, int index) {
        long leftMillis = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
        int timeoutMillis = Math.max(1, (int) (leftMillis / (addresses.length - index)));
        ChannelFuture connecting = bootstrap
                .clone(loop.thread)
                .option(ChannelOption.RECVBUF_ALLOCATOR, loop.receive)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, timeoutMillis)
                .handler(new LinkHandler(link, links, null))
                .connect(new InetSocketAddress(addresses[index], there.port()));
        attempt = connecting;
        connecting.addListener(done -> {
            if (done.isSuccess()) {
                stopTimer();
                return;
            }
            Throwable cause = done.cause();
            if (link.isConnecting() && index + 1 < addresses.length) {
                connect(addresses, index + 1);
            } else {
                fail(Sentences.connectFailed(cause, limitMillis));
            }
        });
    }

    private void late() {
        if (link.isConnecting()) {
            fail(
                    attempt == null
                            ? "the name look-up took longer than " + limitMillis + " ms"
                            : "no answer within " + limitMillis + " ms");
        }
        ChannelFuture last = attempt;
        if (last != null && !last.isDone()) {
            last.channel().close();
        }
    }

    private void fail(String why) {
        stopTimer();
        if (link.isConnecting()) {
            link.ended("cannot connect to " + there + ": " + why);
        }
    }

    private void stopTimer() {
        ScheduledFuture<?> running = timer;
        if (running != null) {
            running.cancel(false);
        }
    }
}
