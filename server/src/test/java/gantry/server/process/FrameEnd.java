package gantry.server.process;

import gantry.replica.frame.FrameLayout;
import gantry.replica.frame.Outlet;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/// One end of a replication link, without a mind of its own: frames that were written wait until somebody sends them,
/// as they are or changed.
///
/// For:   peers and leaders that lie.
/// Owner: a conversation.
final class FrameEnd implements Outlet {
    private final DataInputStream in;
    private final Queue<byte[]> written = new ArrayDeque<>();

    FrameEnd(DataInputStream in) {
        this.in = in;
    }

    @Override
    public boolean send(byte[] head, int length, ByteBuffer payload) {
        ByteBuffer frame = ByteBuffer.allocate(length + payload.remaining());
        frame.put(head, 0, length).put(payload.duplicate());
        written.add(frame.array());
        return true;
    }

    @Override
    public void close(String reason) {}

    /// The oldest frame that was written and not taken.
    byte[] take() {
        return written.remove();
    }

    /// The other side's next frame; null at its end, or when it cannot be one.
    byte @Nullable [] read() throws IOException {
        int length = in.read() << 24 | in.read() << 16 | in.read() << 8 | in.read();
        if (length <= 0 || length > FrameLayout.MAX_FRAME_BYTES) {
            return null;
        }
        byte[] frame = new byte[4 + length];
        ByteBuffer.wrap(frame).putInt(length);
        in.readFully(frame, 4, length);
        return frame;
    }

    /// Reads until the other side ends the link, whatever it says before.
    void awaitClose() throws IOException {
        in.transferTo(OutputStream.nullOutputStream());
    }
}
