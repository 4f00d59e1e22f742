package gantry.sim.net;

import gantry.base.Endpoint;
import gantry.base.Link;
import gantry.base.Network.Acceptor;
import gantry.base.Network.Session;
import gantry.sim.Life;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// One end of a simulated connection.
///
/// For:   what a session may do with its connection, and what it is told of it.
/// Owner: the scheduler's thread.
/// Holds: LINK-1 `closed` is told exactly once, and nothing after it.
final class SimLink implements Link {
    private enum State {
        CONNECTING,
        OPEN,
        CLOSING,
        CLOSED
    }

    private final SimNet net;
    private final long id;
    private final Life life;
    private final Endpoint local;
    private final Endpoint remote;
    private final FrameCutter cutter = new FrameCutter();
    /// Whether frames still come in between `close` and `closed`; both happen in the real world.
    private final boolean hearsWhileClosing;

    private State state = State.CONNECTING;
    private @Nullable Session session;
    private @Nullable Pipe out;
    private @Nullable Pipe in;
    private String closing = "";
    private boolean choked;
    private boolean doomed;

    SimLink(SimNet net, long id, Life life, Endpoint local, Endpoint remote, boolean hearsWhileClosing) {
        this.net = net;
        this.id = id;
        this.life = life;
        this.local = local;
        this.remote = remote;
        this.hearsWhileClosing = hearsWhileClosing;
    }

    void tie(Pipe newOut, Pipe newIn) {
        out = newOut;
        in = newIn;
    }

    void meet(Acceptor acceptor) {
        session = acceptor.accept(this);
    }

    void opened() {
        if (state == State.CONNECTING) {
            state = State.OPEN;
        }
    }

    boolean connecting() {
        return state == State.CONNECTING;
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

    Life life() {
        return life;
    }

    Pipe out() {
        return tied(out);
    }

    Pipe in() {
        return tied(in);
    }

    private Pipe tied(@Nullable Pipe pipe) {
        if (pipe == null) {
            throw new IllegalStateException("link " + id + " is not tied yet");
        }
        return pipe;
    }

    @Override
    public boolean send(byte[] bytes, int offset, int length) {
        if (!takes(length)) {
            return false;
        }
        out().put(bytes, offset, length);
        sent();
        return true;
    }

    @Override
    public boolean send(byte[] bytes, int offset, int length, ByteBuffer body) {
        if (!takes((long) length + body.remaining())) {
            return false;
        }
        out().put(bytes, offset, length);
        out().put(body);
        sent();
        return true;
    }

    @Override
    public void limitFrames(int bytes) {
        cutter.limit(bytes);
    }

    @Override
    public void takeAsItComes() {
        cutter.takeAsItComes();
    }

    private boolean takes(long more) {
        if (isOver() || !life.alive()) {
            return false;
        }
        if (out().size() + more > net.weather().outboxHardBytes()) {
            close("its outbox is full");
            return false;
        }
        return true;
    }

    private void sent() {
        choked = choked || out().size() > net.weather().outboxHighBytes();
        out().flow();
    }

    private boolean isOver() {
        return state == State.CLOSING || state == State.CLOSED;
    }

    /// True while too much waits here to read more.
    boolean choked() {
        return choked;
    }

    @Override
    public void close(String reason) {
        if (isOver() || !life.alive()) {
            return;
        }
        boolean atOnce = state == State.CONNECTING || out().size() == 0;
        state = State.CLOSING;
        closing = reason;
        choked = false;
        out().finish("the other side closed");
        long longest = atOnce ? 1 : net.weather().drainTimeoutNanos();
        net.scheduler().after(longest, life, "link closes, drained or not", () -> {
            out().breakOff(net.upTo(out().size()), "the other side closed");
            end(reason);
        });
    }

    /// Some of what waited here has arrived.
    void drained() {
        if (choked && out().size() < net.weather().outboxHighBytes() / 2) {
            choked = false;
            in().flow();
        }
        if (state == State.CLOSING && out().size() == 0) {
            net.scheduler().after(1, life, "link closes, drained", () -> end(closing));
        }
    }

    void receive(byte[] piece) {
        cutter.add(piece);
        boolean any = false;
        while (hears()) {
            int length = cutter.next();
            if (length == 0) {
                break;
            }
            if (length < 0) {
                close("a frame is longer than allowed");
                return;
            }
            any = true;
            cutter.hand(length, told());
        }
        if (any && hears()) {
            told().burstEnded();
        }
    }

    private boolean hears() {
        return life.alive() && (state == State.OPEN || (state == State.CLOSING && hearsWhileClosing));
    }

    /// True once: a machine that does not know this connection will answer with a reset.
    boolean doom() {
        boolean first = !doomed;
        doomed = true;
        return first;
    }

    /// The connection is over for this end.
    void end(String reason) {
        if (state == State.CLOSED || !life.alive()) {
            return;
        }
        boolean ours = state == State.CLOSING;
        state = State.CLOSED;
        net.forget(this);
        if (!ours) {
            // The other side knows already, or is about to be told the same; what waits here is lost.
            out().breakOff(0, "connection reset");
        }
        told().closed(ours ? closing : reason);
    }

    private Session told() {
        if (session == null) {
            throw new IllegalStateException("link " + id + " has no session yet");
        }
        return session;
    }
}
