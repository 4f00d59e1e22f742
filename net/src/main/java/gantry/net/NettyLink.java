package gantry.net;

import gantry.base.Endpoint;
import gantry.base.Link;
import gantry.base.Network.Session;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// One connection, from accepting or dialling to `Session.closed`.
///
/// For:   moving frames between a socket and its session.
/// Owner: its event loop; `send`, `close` and the addresses are safe from any thread.
/// Never: the meaning of a frame.
/// Holds: NET-5 `Session.closed` is told exactly once, last, with the first reason there was.
///
/// ```
///   CONNECTING ── opened ──▶ OPEN ── close: let the outbox drain ──▶ DRAINING ── drained, or too late ──▶ CLOSED
///        └ failed ───────────┴─ cut: stranger, idle, overflow, reset, fault ─────────┴──────────────────────▲
///   while OPEN: outbox high → not read from → outbox low → read again
/// ```
final class NettyLink implements Link, FrameCutter.Sink {
    private static final Endpoint NOWHERE = new Endpoint("0.0.0.0", 0);

    private enum State {
        CONNECTING,
        OPEN,
        DRAINING,
        CLOSED
    }

    private final long id;
    private final boolean accepted;
    private final Loop loop;
    private final Links links;
    private final FrameCutter cutter;
    private final Outbox outbox;
    private final AtomicReference<@Nullable String> reason = new AtomicReference<>();
    private volatile Endpoint remote;
    private volatile Endpoint local = NOWHERE;

    // Owned by the event loop.
    private State state = State.CONNECTING;
    private @Nullable Session session;
    private @Nullable Channel channel;
    private boolean entered;
    private boolean inBurst;
    private boolean paused;
    private long openedNanos;
    private long activeNanos;
    private long unfinishedNanos;
    private long drainNanos;
    private long seenProgress;

    NettyLink(long id, boolean accepted, Endpoint remote, Loop loop, Links links) {
        this.id = id;
        this.accepted = accepted;
        this.remote = remote;
        this.loop = loop;
        this.links = links;
        this.cutter = new FrameCutter(links.allocator(), links.gatherBudget(), this);
        this.outbox = new Outbox(
                links.allocator(),
                links.outboxBudget(),
                links.config().outboxHighBytes(),
                links.config().outboxHardBytes());
    }

    @Override
    public long id() {
        return id;
    }

    @Override
    public Endpoint remote() {
        return remote;
    }

    @Override
    public Endpoint local() {
        return local;
    }

    @Override
    public boolean send(byte[] bytes, int offset, int length) {
        return sent(outbox.put(bytes, offset, length, (ByteBuffer) null));
    }

    @Override
    public boolean send(byte[] bytes, int offset, int length, ByteBuffer body) {
        return sent(outbox.put(bytes, offset, length, body));
    }

    @Override
    public boolean send(byte[] bytes, int offset, int length, List<ByteBuffer> body) {
        return sent(outbox.put(bytes, offset, length, body));
    }

    @Override
    public void limitFrames(int bytes) {
        cutter.limit(bytes);
    }

    @Override
    public void takeAsItComes() {
        cutter.takeAsItComes();
    }

    @Override
    public void close(String why) {
        if (reason.compareAndSet(null, why)) {
            outbox.close();
            onLoop(this::drain);
        }
    }

    @Override
    public String toString() {
        return "link " + id + (accepted ? " of " : " to ") + remote;
    }

    // --- The rest runs on the event loop. ---

    /// The session that is told of everything; once, before anything arrives.
    void attach(Session newSession) {
        session = newSession;
    }

    /// It is counted among the open links, and is to be taken off when it ends.
    void entered() {
        entered = true;
    }

    /// The socket is open.
    ///
    /// @return false when the link ended meanwhile: the socket must be closed again
    boolean opened(Channel open, Endpoint from, Endpoint to) {
        if (state == State.CLOSED) {
            return false;
        }
        channel = open;
        local = from;
        if (accepted) {
            remote = to;
        }
        openedNanos = loop.coarseNanos();
        activeNanos = openedNanos;
        if (state == State.CONNECTING) {
            state = State.OPEN;
        }
        return true;
    }

    boolean isConnecting() {
        return channel == null && state != State.CLOSED;
    }

    /// After `opened`: what was sent meanwhile goes out.
    void start() {
        flush();
        if (state == State.DRAINING) {
            drain();
        }
    }

    void received(ByteBuf chunk) {
        activeNanos = loop.coarseNanos();
        if (state != State.OPEN) {
            return;
        }
        inBurst = true;
        boolean wasUnfinished = cutter.isUnfinished();
        long before = cutter.frames();
        judge(cutter.feed(chunk, loop.receive.view(chunk), chunk.readerIndex(), chunk.writerIndex()));
        if (!wasUnfinished || cutter.frames() != before) {
            unfinishedNanos = activeNanos;
        }
    }

    void burstEnded() {
        if (!inBurst) {
            return;
        }
        Session told = session;
        if (told != null && state == State.OPEN) {
            told.burstEnded();
        }
        inBurst = false;
        flush();
    }

    @Override
    public boolean frame(ByteBuffer bytes, int offset, int length) {
        Session told = session;
        if (told == null || state != State.OPEN || reason.get() != null) {
            return false;
        }
        int limit = bytes.limit();
        told.frame(bytes, offset, length);
        bytes.limit(limit).position(0);
        if (outbox.isHigh()) {
            pause();
        }
        return !paused;
    }

    /// Closes at once; what waits in the outbox is lost.
    void cut(String why) {
        reason.compareAndSet(null, why);
        outbox.close();
        if (state == State.CLOSED) {
            return;
        }
        Channel open = channel;
        if (open != null) {
            open.close();
        } else {
            ended(why);
        }
    }

    /// The socket is gone, or was never there.
    void ended(String why) {
        if (state == State.CLOSED) {
            return;
        }
        state = State.CLOSED;
        reason.compareAndSet(null, why);
        loop.remove(this);
        cutter.release();
        outbox.discard();
        if (entered) {
            links.leave();
        }
        Session told = session;
        String first = reason.get();
        if (told != null) {
            told.closed(first == null ? why : first);
        }
    }

    boolean isClosing() {
        return reason.get() != null;
    }

    /// Looks at what has not happened for too long.
    void sweep(long now) {
        NetConfig config = links.config();
        if (state == State.DRAINING && now - drainNanos > config.drainTimeout().toNanos()) {
            cut("the outbox did not drain in time");
        }
        Channel open = channel;
        if (open == null || state == State.CLOSED) {
            return;
        }
        ChannelOutboundBuffer leaving = open.unsafe().outboundBuffer();
        long progress = leaving == null ? 0 : leaving.currentProgress();
        if (progress != seenProgress) {
            seenProgress = progress;
            activeNanos = now;
        }
        if (now - activeNanos > config.idleLimit().toNanos()) {
            links.counts().idled.increment();
            cut("nothing was read or written for " + config.idleLimit().toMillis() / 1000.0 + " s");
        } else if (accepted
                && cutter.frames() == 0
                && now - openedNanos > config.firstFrameLimit().toNanos()) {
            links.stranger(this, Stranger.SILENT);
        } else if (cutter.isUnfinished() && now - unfinishedNanos > unfinishedLimit(config)) {
            links.stranger(this, Stranger.SILENT);
        }
    }

    /// A frame gets the time of a first frame, and a second more for every 64 KiB of it that have come.
    private long unfinishedLimit(NetConfig config) {
        return config.firstFrameLimit().toNanos() + TimeUnit.SECONDS.toNanos(cutter.gatheredBytes() >>> 16);
    }

    private boolean sent(Outbox.Put put) {
        return switch (put) {
            case TAKEN -> true;
            case TAKEN_FIRST -> {
                if (!loop.thread.inEventLoop() || !inBurst) {
                    onLoop(this::flush);
                }
                yield true;
            }
            case OVERFLOW -> {
                String why = "the peer does not read: " + outbox.pendingBytes() + " bytes wait for it";
                if (reason.compareAndSet(null, why)) {
                    onLoop(() -> links.overflowed(this));
                }
                yield false;
            }
            case CLOSED -> false;
        };
    }

    private void judge(@Nullable Stranger fault) {
        if (fault != null && !isClosing()) {
            links.stranger(this, fault);
        }
    }

    private void flush() {
        Channel open = channel;
        if (open == null || state == State.CLOSED) {
            return;
        }
        List<ByteBuf> blocks = outbox.take();
        if (!blocks.isEmpty()) {
            for (int i = 0; i < blocks.size(); i++) {
                ByteBuf block = blocks.get(i);
                int bytes = block.readableBytes();
                int capacity = block.capacity();
                open.write(block).addListener(done -> written(bytes, capacity, done.isSuccess()));
            }
            open.flush();
            if (outbox.isHigh()) {
                pause();
            }
        }
    }

    private void written(int bytes, int capacity, boolean success) {
        outbox.written(bytes, capacity);
        if (success) {
            activeNanos = loop.coarseNanos();
            seenProgress = 0;
            if (paused && outbox.isLow()) {
                onLoop(this::goOn);
            }
            if (state == State.DRAINING && outbox.pendingBytes() == 0) {
                closeChannel();
            }
        }
    }

    private void pause() {
        Channel open = channel;
        if (!paused && open != null && state == State.OPEN) {
            paused = true;
            open.config().setAutoRead(false);
        }
    }

    /// Reads again, beginning with the frames that had arrived before the pause.
    private void goOn() {
        Channel open = channel;
        if (!paused || open == null || state != State.OPEN || !outbox.isLow()) {
            return;
        }
        paused = false;
        inBurst = true;
        judge(cutter.resume());
        unfinishedNanos = loop.coarseNanos();
        burstEnded();
        if (!paused) {
            open.config().setAutoRead(true);
        }
    }

    private void drain() {
        if (state == State.CLOSED) {
            return;
        }
        if (state != State.DRAINING) {
            state = State.DRAINING;
            drainNanos = loop.nowNanos();
        }
        Channel open = channel;
        if (open == null) {
            if (outbox.pendingBytes() == 0) {
                ended("closed before it was connected");
            }
            return;
        }
        flush();
        if (outbox.pendingBytes() == 0) {
            closeChannel();
        } else if (paused) {
            // What still arrives is dropped; it must not wait in the socket, or closing would take the outbox with it.
            paused = false;
            open.config().setAutoRead(true);
        }
    }

    private void closeChannel() {
        Channel open = channel;
        if (open != null) {
            open.close();
        }
    }

    private void onLoop(Runnable task) {
        try {
            loop.thread.execute(task);
        } catch (RejectedExecutionException e) {
            // The network is closed, and with it this link: there is nothing left to do.
            outbox.discard();
        }
    }
}
