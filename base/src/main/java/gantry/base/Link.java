package gantry.base;

import java.nio.ByteBuffer;
import java.util.List;

/// One connection to another process.
///
/// For:   sending whole frames from any thread.
/// Owner: its event loop owns the socket; the bounded outbox is safe from any thread.
/// Never: promises that anything arrived.
public interface Link {
    /// Unique in this process, never used again.
    long id();

    /// The other side's address.
    Endpoint remote();

    /// Our own address on this link.
    Endpoint local();

    /// Copies one or several whole frames into the outbox, which goes out soon. The bytes are the caller's
    /// again at return.
    ///
    /// @return false when the link is closed or its outbox is full (then it is being closed); nothing was taken
    boolean send(byte[] bytes, int offset, int length);

    /// The same for one frame whose last part is `body`, from its position to its limit (neither is moved).
    boolean send(byte[] bytes, int offset, int length, ByteBuffer body);

    /// The same for one frame whose last part is all of `body`, one part behind the other.
    default boolean send(byte[] bytes, int offset, int length, List<ByteBuffer> body) {
        if (body.size() == 1) {
            return send(bytes, offset, length, body.get(0));
        }
        int size = 0;
        for (ByteBuffer part : body) {
            size += part.remaining();
        }
        ByteBuffer gathered = ByteBuffer.allocate(size);
        for (ByteBuffer part : body) {
            gathered.put(part.duplicate());
        }
        return send(bytes, offset, length, gathered.flip());
    }

    /// From now on a frame of more than `bytes`, its length field included, ends the link, before any of it is
    /// kept. A link begins with `Network.MAX_FRAME_BYTES`. Only for its session, from inside a call or while it is
    /// made.
    void limitFrames(int bytes);

    /// From now on what arrives is handed over as it comes, in pieces of any size, and is not cut into frames: for a
    /// peer whose protocol has none. `Session.frame` is told each piece. Only for its session, while it is made.
    default void takeAsItComes() {
        throw new UnsupportedOperationException("this link knows frames only");
    }

    /// Closes once what is in the outbox is out, at the latest after a bounded time.
    void close(String reason);
}
