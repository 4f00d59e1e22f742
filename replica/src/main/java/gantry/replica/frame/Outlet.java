package gantry.replica.frame;

import java.nio.ByteBuffer;

/// The way out of one link.
///
/// For:   machines that know no socket; `gantry.base.Link` has the same shape.
/// Owner: whoever made the link.
public interface Outlet {
    /// Takes one frame: `length` bytes of `head`, then `payload` from its position to its limit. Both are the
    /// caller's again at return, the payload unmoved.
    ///
    /// @return false when the link is closed or its outbox is full; nothing was taken
    boolean send(byte[] head, int length, ByteBuffer payload);

    /// Closes once what was taken is out. May be called again, without effect.
    void close(String reason);
}
