package gantry.net;

import gantry.base.Clock;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/// What the links of one event loop share.
///
/// For:   the receive buffer, a coarse time, and looking after links on which nothing happens.
/// Owner: its event loop; every method but the constructor runs there.
/// Never: reads the socket.
final class Loop {
    final EventLoop thread;
    final ReceiveBuffer receive;

    private final Set<NettyLink> links = new LinkedHashSet<>();
    private final CompletableFuture<Boolean> emptied = new CompletableFuture<>();
    private final Clock clock;
    private long coarseNanos;
    private boolean closing;

    Loop(EventLoop thread, ByteBufAllocator allocator, Clock clock, long sweepNanos) {
        this.clock = clock;
        this.coarseNanos = clock.nanos();
        this.thread = thread;
        this.receive = new ReceiveBuffer(allocator);
        thread.scheduleWithFixedDelay(this::sweep, sweepNanos, sweepNanos, TimeUnit.NANOSECONDS);
    }

    /// The time of the last sweep: exact enough for limits of seconds, and free.
    long coarseNanos() {
        return coarseNanos;
    }

    long nowNanos() {
        return clock.nanos();
    }

    /// @return false when the network is closing; the link must not be used
    boolean add(NettyLink link) {
        if (closing) {
            return false;
        }
        links.add(link);
        return true;
    }

    void remove(NettyLink link) {
        links.remove(link);
        if (closing && links.isEmpty()) {
            emptied.complete(true);
        }
    }

    /// Closes every link; the result completes once all are gone.
    void closeAll(String reason) {
        closing = true;
        if (links.isEmpty()) {
            emptied.complete(true);
        }
        for (NettyLink link : new ArrayList<>(links)) {
            link.close(reason);
        }
    }

    /// Closes what `closeAll` left, whatever waits in its outbox.
    void cutAll(String reason) {
        for (NettyLink link : new ArrayList<>(links)) {
            link.cut(reason);
        }
    }

    /// Completes once `closeAll` has been called and no link is left; may be asked from any thread.
    CompletableFuture<Boolean> emptied() {
        return emptied;
    }

    /// Looks after all links; comes by itself at its interval.
    void sweep() {
        long now = clock.nanos();
        coarseNanos = now;
        for (NettyLink link : new ArrayList<>(links)) {
            link.sweep(now);
        }
    }
}
