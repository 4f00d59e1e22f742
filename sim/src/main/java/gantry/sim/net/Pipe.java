package gantry.sim.net;

import gantry.sim.SimScheduler;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32;

/// The bytes under way in one direction of one connection.
///
/// For:   order within a connection, arrival in pieces, and every way in which the rest may fail to arrive.
/// Owner: the scheduler's thread.
/// Holds: PIPE-1 what arrives is a prefix of what was sent.
final class Pipe {
    private final SimNet net;
    private final SimLink from;
    private final SimLink to;
    private byte[] bytes = new byte[256];
    private int start;
    private int size;
    /// Why the sender has closed; the receiver learns it after the last byte. Empty as long as it has not.
    private String farewell = "";
    /// Everything from here on is lost, and nobody is told.
    private boolean dead;
    private boolean open;
    private boolean scheduled;
    private long lastArrivalNanos;

    Pipe(SimNet net, SimLink from, SimLink to) {
        this.net = net;
        this.from = from;
        this.to = to;
    }

    int size() {
        return size;
    }

    SimLink from() {
        return from;
    }

    SimLink to() {
        return to;
    }

    /// What is sent after the end was decided, by a side that has not heard of it yet, is lost.
    void put(byte[] source, int offset, int length) {
        if (!farewell.isEmpty()) {
            return;
        }
        grow(length);
        System.arraycopy(source, offset, bytes, start + size, length);
        size += length;
    }

    void put(ByteBuffer body) {
        if (!farewell.isEmpty()) {
            return;
        }
        int length = body.remaining();
        grow(length);
        body.get(body.position(), bytes, start + size, length);
        size += length;
    }

    private void grow(int more) {
        if (bytes.length - start - size < more) {
            bytes = Arrays.copyOfRange(bytes, start, start + Math.max(2 * size, size + more));
            start = 0;
        }
    }

    /// Moves everything that waits in `other` here.
    void adopt(Pipe other) {
        put(other.bytes, other.start, other.size);
        farewell = other.farewell;
        other.size = 0;
    }

    /// Bytes may flow from now on, the first of them not before `notBeforeNanos`.
    void open(long notBeforeNanos) {
        open = true;
        lastArrivalNanos = Math.max(lastArrivalNanos, notBeforeNanos);
        flow();
    }

    /// Nothing will be added; the receiver learns `reason` after the last byte.
    void finish(String reason) {
        farewell = reason;
        flow();
    }

    /// The sender is gone in the middle: at most `keep` of the waiting bytes still arrive.
    void breakOff(int keep, String reason) {
        size = Math.min(size, keep);
        finish(reason);
    }

    void die() {
        dead = true;
    }

    /// Gets the next piece under way, if there is one and nothing stands in its way.
    void flow() {
        boolean nothing = size == 0 && farewell.isEmpty();
        if (!open || dead || scheduled || nothing || net.stopped(this)) {
            return;
        }
        scheduled = true;
        SimScheduler scheduler = net.scheduler();
        lastArrivalNanos = Math.max(lastArrivalNanos, scheduler.nanos() + net.delay());
        scheduler.after(lastArrivalNanos - scheduler.nanos(), to.life(), "bytes arrive", this::arrive);
    }

    private void arrive() {
        scheduled = false;
        if (dead || net.stopped(this)) {
            return;
        }
        if (size > 0) {
            byte[] piece = take(net.pieceOf(size));
            note(piece);
            from.drained();
            to.receive(piece);
        }
        if (size == 0 && !farewell.isEmpty()) {
            dead = true;
            to.end(farewell);
        } else {
            flow();
        }
    }

    private byte[] take(int length) {
        byte[] piece = Arrays.copyOfRange(bytes, start, start + length);
        size -= length;
        start = size == 0 ? 0 : start + length;
        return piece;
    }

    private void note(byte[] piece) {
        CRC32 crc = new CRC32();
        crc.update(piece);
        net.scheduler().mix(crc.getValue() << 32 | piece.length);
        if (net.scheduler().tracing()) {
            net.scheduler().trace(from.local() + " -> " + to.local() + ": " + piece.length + " bytes");
        }
    }
}
