package gantry.replica.frame;

import gantry.base.Invariant;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/// Makes the frames of one direction of one link.
///
/// For:   bodies written in place, behind a header that is filled in last.
/// Owner: the link's machine.
/// Never: copies a payload; allocates for a batch, a beat or an acknowledgement.
public final class FrameWriter {
    /// Grows to what the longest body needs: a position or verdict with a full epoch table.
    private static final int FIRST_BYTES = 512;

    private static final ByteBuffer NO_PAYLOAD = ByteBuffer.allocate(0).asReadOnlyBuffer();

    private final Outlet outlet;
    private final CRC32C checksum = new CRC32C();
    private ByteBuffer staging = ByteBuffer.allocate(FIRST_BYTES);
    private int sequence;

    public FrameWriter(Outlet outlet) {
        this.outlet = outlet;
    }

    /// Where the next frame's body is written, from the position on; `send` ends it.
    public ByteBuffer body(int maxBytes) {
        int needed = FrameLayout.HEADER_BYTES + maxBytes;
        if (staging.capacity() < needed) {
            staging = ByteBuffer.allocate(needed);
        }
        return staging.clear().position(FrameLayout.HEADER_BYTES);
    }

    public boolean send(FrameType type) {
        return send(type, NO_PAYLOAD.clear());
    }

    /// @param payload the rest of the body, from its position to its limit, which are the same afterwards
    /// @return false when the link took nothing, because it is closed or full
    public boolean send(FrameType type, ByteBuffer payload) {
        int head = staging.position();
        int length = head + payload.remaining();
        Invariant.check(length <= FrameLayout.MAX_FRAME_BYTES, "FRAME-2 no frame is longer than MAX_FRAME_BYTES");
        byte[] bytes = staging.array();
        staging.putInt(FrameLayout.LENGTH, length - FrameLayout.LENGTH_BYTES)
                .putInt(FrameLayout.MAGIC_AT, FrameLayout.MAGIC)
                .put(FrameLayout.VERSION_AT, (byte) FrameLayout.VERSION)
                .put(FrameLayout.TYPE_AT, (byte) type.code())
                .putShort(FrameLayout.ZERO_AT, (short) 0)
                .putInt(FrameLayout.SEQUENCE_AT, sequence);
        checksum.reset();
        checksum.update(bytes, 0, FrameLayout.CHECKSUM_AT);
        checksum.update(bytes, FrameLayout.HEADER_BYTES, head - FrameLayout.HEADER_BYTES);
        int position = payload.position();
        checksum.update(payload);
        payload.position(position);
        staging.putInt(FrameLayout.CHECKSUM_AT, (int) checksum.getValue());
        sequence++;
        return outlet.send(bytes, head, payload);
    }
}
