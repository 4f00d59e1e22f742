package gantry.base;

import java.nio.ByteBuffer;

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

    /// Copies one or several whole frames into the outbox, which goes out soon. The bytes are the caller's again at
    /// return.
    ///
    /// @return false when the link is closed or its outbox is full (then it is being closed); nothing was taken
    boolean send(byte[] bytes, int offset, int length);

    /// The same for one frame whose last part is `body`, from its position to its limit (neither is moved).
    boolean send(byte[] bytes, int offset, int length, ByteBuffer body);

    /// Closes once what is in the outbox is out, at the latest after a bounded time.
    void close(String reason);
}
