package gantry.sim.net;

import gantry.base.Network;
import gantry.base.Network.Session;
import java.nio.ByteBuffer;
import java.util.Arrays;

/// Cuts received bytes into frames.
///
/// For:   handing whole frames to a session in a buffer that is spoilt afterwards, so that whoever keeps it finds out.
/// Owner: its link, on the scheduler's thread.
final class FrameCutter {
    private static final int LENGTH_BYTES = 4;
    private static final int MARGIN_BYTES = 7;
    private static final byte SPOILT = (byte) 0xEE;

    private byte[] bytes = new byte[256];
    private int size;
    private boolean uncut;
    private int limit = Network.MAX_FRAME_BYTES;

    void limit(int most) {
        limit = Math.min(most, Network.MAX_FRAME_BYTES);
    }

    /// From now on nothing is cut.
    void takeAsItComes() {
        uncut = true;
    }

    void add(byte[] piece) {
        if (bytes.length - size < piece.length) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + piece.length));
        }
        System.arraycopy(piece, 0, bytes, size, piece.length);
        size += piece.length;
    }

    /// @return the size of the whole frame that is there, 0 when there is none yet, -1 when its length is not allowed
    int next() {
        if (uncut) {
            return size;
        }
        if (size < LENGTH_BYTES) {
            return 0;
        }
        int length = ByteBuffer.wrap(bytes).getInt(0);
        if (length < 0 || length > limit - LENGTH_BYTES) {
            return -1;
        }
        return size - LENGTH_BYTES < length ? 0 : length + LENGTH_BYTES;
    }

    /// Hands over the frame of `length` bytes that `next` has found.
    void hand(int length, Session session) {
        byte[] lent = new byte[length + 2 * MARGIN_BYTES];
        Arrays.fill(lent, SPOILT);
        System.arraycopy(bytes, 0, lent, MARGIN_BYTES, length);
        System.arraycopy(bytes, length, bytes, 0, size - length);
        size -= length;
        session.frame(ByteBuffer.wrap(lent), MARGIN_BYTES, length);
        Arrays.fill(lent, SPOILT);
    }
}
