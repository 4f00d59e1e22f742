package gantry.replica.rig;

import gantry.replica.frame.Outlet;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// One direction of a link, as a list of frames.
///
/// For:   tests that look at what was sent, or carry it over.
/// Owner: its test.
public final class ListOutlet implements Outlet {
    public final ArrayDeque<byte[]> frames = new ArrayDeque<>();
    public @Nullable String closed;
    public boolean full;

    @Override
    public boolean send(byte[] head, int length, ByteBuffer payload) {
        if (closed != null || full) {
            return false;
        }
        byte[] frame = new byte[length + payload.remaining()];
        System.arraycopy(head, 0, frame, 0, length);
        payload.get(payload.position(), frame, length, payload.remaining());
        frames.add(frame);
        return true;
    }

    @Override
    public void close(String reason) {
        if (closed == null) {
            closed = reason;
        }
    }

    public byte[] take() {
        byte[] frame = frames.poll();
        if (frame == null) {
            throw new AssertionError("nothing was sent");
        }
        return frame;
    }
}
