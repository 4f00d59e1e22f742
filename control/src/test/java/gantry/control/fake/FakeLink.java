package gantry.control.fake;

import gantry.base.Endpoint;
import gantry.base.Link;
import gantry.wire.frame.Command;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/// A link whose outbox is a list.
///
/// For:   tests of sessions without a socket; what was sent is checked to be whole frames.
/// Owner: the test's thread.
/// Holds: nothing is taken after `close`, or when the outbox is full; the bytes are copied at once.
public final class FakeLink implements Link {
    private final long id;
    private final Deque<Command> sent = new ArrayDeque<>();
    private int room = Integer.MAX_VALUE;
    private @Nullable String closedWith;

    public FakeLink(long id) {
        this.id = id;
    }

    @Override
    public long id() {
        return id;
    }

    @Override
    public Endpoint remote() {
        return new Endpoint("192.0.2." + (1 + id % 200), 40_000);
    }

    @Override
    public Endpoint local() {
        return new Endpoint("192.0.2.250", 9_876);
    }

    @Override
    public boolean send(byte[] bytes, int offset, int length) {
        if (closedWith != null || sent.size() >= room) {
            return false;
        }
        ByteBuffer frames = ByteBuffer.wrap(bytes);
        int at = offset;
        while (at < offset + length) {
            int size = Integer.BYTES + frames.getInt(at);
            Command command = at + size > offset + length ? null : Command.decode(frames, at, size);
            if (command == null) {
                throw new AssertionError("what was sent is not whole frames: they end at " + (offset + length));
            }
            sent.add(command);
            at += size;
        }
        return true;
    }

    @Override
    public boolean send(byte[] bytes, int offset, int length, ByteBuffer body) {
        ByteBuffer whole = ByteBuffer.allocate(length + body.remaining());
        whole.put(bytes, offset, length).put(body.duplicate());
        return send(whole.array(), 0, whole.capacity());
    }

    @Override
    public void limitFrames(int bytes) {}

    @Override
    public void close(String reason) {
        if (closedWith == null) {
            closedWith = reason;
        }
    }

    /// From now on the outbox has room for so many frames more.
    public void limit(int frames) {
        room = sent.size() + frames;
    }

    /// The frame that was sent first and not taken yet.
    public @Nullable Command take() {
        return sent.poll();
    }

    public int waiting() {
        return sent.size();
    }

    /// Why the node closed the link, null when it did not.
    public @Nullable String closedWith() {
        return closedWith;
    }
}
