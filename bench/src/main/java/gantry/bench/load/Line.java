package gantry.bench.load;

import gantry.base.Endpoint;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/// One connection of the load, with the requests that are on their way on it.
///
/// For:   asking up to its depth, and pairing every answer with what was asked.
/// Owner: the thread of the load loop.
/// Never: answers that nobody asked for; they void the measurement.
final class Line implements Closeable {
    private final SocketChannel channel;
    private final SelectionKey key;
    private final Script script;
    private final ByteBuffer in;
    private final ByteBuffer out;
    private final AnswerHeader answer = new AnswerHeader();
    /// Per slot; an id is `FIRST_ID + turn * slots + slot`, 0 when the slot is free.
    private final int[] ids;
    private final long[] askedNanos;
    private final int[] freeSlots;
    private int free;
    private int turn;

    Line(Endpoint server, Selector selector, Script script, int depth) throws IOException {
        this.script = script;
        this.in = ByteBuffer.allocateDirect(script.answerBytes());
        this.out = ByteBuffer.allocateDirect(depth * script.requestBytes());
        this.ids = new int[Integer.highestOneBit(Math.max(1, depth * 2 - 1))];
        this.askedNanos = new long[ids.length];
        this.freeSlots = new int[depth];
        for (int i = 0; i < depth; i++) {
            freeSlots[free++] = i;
        }
        channel = SocketChannel.open(new InetSocketAddress(server.host(), server.port()));
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.configureBlocking(false);
        key = channel.register(selector, SelectionKey.OP_READ, this);
    }

    /// Told what became of each request.
    interface Tally {
        /// Whether a further request of `messages` is wanted now; a true answer counts it as asked.
        boolean wantsMore(int messages);

        void confirmed(int messages, long askedNanos);

        /// Not taken by a busy server; to be asked again.
        void refused(int messages);
    }

    /// Asks until the depth is reached or nothing more is wanted, in one write.
    void topUp(Tally tally) throws IOException {
        if (free > 0) {
            long now = System.nanoTime();
            long nowMillis = System.currentTimeMillis();
            while (free > 0 && !script.exhausted() && tally.wantsMore(script.messagesPerRequest())) {
                int slot = freeSlots[--free];
                ids[slot] = nextId(slot);
                askedNanos[slot] = now;
                script.ask(out, ids[slot], nowMillis);
            }
        }
        flush();
    }

    private int nextId(int slot) {
        turn = turn >= Integer.MAX_VALUE / 2 / ids.length ? 0 : turn + 1;
        return Template.FIRST_ID + turn * ids.length + slot;
    }

    private void flush() throws IOException {
        if (out.position() > 0) {
            out.flip();
            channel.write(out);
            out.compact();
        }
        int wanted = out.position() > 0 ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ;
        if (key.interestOps() != wanted) {
            key.interestOps(wanted);
        }
    }

    /// Takes in what has arrived and checks every answer.
    void read(Tally tally) throws IOException, LoadFailed {
        if (channel.read(in) < 0) {
            throw new LoadFailed("the server closed a connection with " + inFlight() + " requests on their way");
        }
        in.flip();
        int at = 0;
        while (in.limit() - at >= 4) {
            int length = 4 + in.getInt(at);
            if (length < 8 || length > in.capacity()) {
                throw new LoadFailed("a frame of " + length + " bytes came");
            }
            if (in.limit() - at < length) {
                break;
            }
            frame(at, length, tally);
            at += length;
        }
        in.position(at);
        in.compact();
    }

    private void frame(int at, int length, Tally tally) throws LoadFailed {
        if (!answer.read(in, at, length)) {
            throw new LoadFailed("an answer cannot be read: " + answer.text());
        }
        if (!answer.isAnswer()) {
            return; // the server's own requests, such as "the members of your group changed"
        }
        int slot = (answer.correlationId() - Template.FIRST_ID) & (ids.length - 1);
        if (ids[slot] != answer.correlationId()) {
            throw new LoadFailed("an answer came that nobody waits for: " + answer.text());
        }
        ids[slot] = 0;
        freeSlots[free++] = slot;
        if (answer.code() == Answers.SUCCESS) {
            tally.confirmed(script.confirm(in, answer), askedNanos[slot]);
        } else if (script.isRetryable(answer.code())) {
            tally.refused(script.messagesPerRequest());
        } else {
            throw new LoadFailed("the server answered code " + answer.code() + ": " + answer.text());
        }
    }

    int inFlight() {
        return freeSlots.length - free;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
