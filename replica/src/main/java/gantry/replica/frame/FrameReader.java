package gantry.replica.frame;

import gantry.base.Invariant;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// Checks the frames of one direction of one link, before anybody looks at what they say.
///
/// For:   turning bytes that arrived into a frame of a known type, or a fault.
/// Owner: the link's machine.
/// Never: throws because of what arrived; allocates for a frame that is whole.
public final class FrameReader {
    private final CRC32C checksum = new CRC32C();
    private int maxBytes = FrameLayout.MAX_HELLO_FRAME_BYTES;
    private int sequence;
    private @Nullable FrameType type;
    private int bodyAt;
    private int bodyLength;

    /// From now on the peer is a member, and may send long frames.
    public void trust() {
        maxBytes = FrameLayout.MAX_FRAME_BYTES;
    }

    /// Looks at one frame; afterwards `type`, `bodyAt` and `bodyLength` tell of it.
    ///
    /// @return what is wrong, or null
    public @Nullable Fault check(ByteBuffer frame, int at, int length) {
        if (length < FrameLayout.HEADER_BYTES) {
            return new Fault(Cause.FRAME_SHORT, length + " bytes, the header alone has " + FrameLayout.HEADER_BYTES);
        }
        if (frame.getInt(at + FrameLayout.MAGIC_AT) != FrameLayout.MAGIC) {
            return new Fault(
                    Cause.MAGIC, "bytes 4 to 7 are " + Integer.toHexString(frame.getInt(at + FrameLayout.MAGIC_AT)));
        }
        if (length > maxBytes) {
            return new Fault(Cause.FRAME_LONG, length + " bytes, the limit is " + maxBytes);
        }
        if (frame.getInt(at + FrameLayout.LENGTH) != length - FrameLayout.LENGTH_BYTES) {
            return new Fault(
                    Cause.FRAME_LENGTH,
                    "it says " + frame.getInt(at + FrameLayout.LENGTH) + " of " + length + " bytes");
        }
        int computed = checksum(frame, at, length);
        if (frame.getInt(at + FrameLayout.CHECKSUM_AT) != computed) {
            return new Fault(Cause.CHECKSUM, "over " + length + " bytes of frame " + sequence);
        }
        return checkHeader(frame, at, length);
    }

    private @Nullable Fault checkHeader(ByteBuffer frame, int at, int length) {
        if (frame.get(at + FrameLayout.VERSION_AT) != FrameLayout.VERSION) {
            return new Fault(Cause.FRAME_VERSION, "" + frame.get(at + FrameLayout.VERSION_AT));
        }
        FrameType found = FrameType.of(frame.get(at + FrameLayout.TYPE_AT));
        if (found == null) {
            return new Fault(Cause.TYPE, "" + frame.get(at + FrameLayout.TYPE_AT));
        }
        if (frame.getShort(at + FrameLayout.ZERO_AT) != 0) {
            return new Fault(Cause.RESERVED, "" + frame.getShort(at + FrameLayout.ZERO_AT));
        }
        if (frame.getInt(at + FrameLayout.SEQUENCE_AT) != sequence) {
            return new Fault(
                    Cause.SEQUENCE,
                    "frame " + frame.getInt(at + FrameLayout.SEQUENCE_AT) + " came where " + sequence + " was due");
        }
        sequence++;
        type = found;
        bodyAt = at + FrameLayout.HEADER_BYTES;
        bodyLength = length - FrameLayout.HEADER_BYTES;
        return null;
    }

    /// Positions and limits are put back: the buffer is only lent.
    private int checksum(ByteBuffer frame, int at, int length) {
        int position = frame.position();
        int limit = frame.limit();
        checksum.reset();
        checksum.update(frame.clear().limit(at + FrameLayout.CHECKSUM_AT).position(at));
        checksum.update(
                frame.clear().limit(at + length).position(at + FrameLayout.CHECKSUM_AT + FrameLayout.CHECKSUM_BYTES));
        frame.clear().limit(limit).position(position);
        return (int) checksum.getValue();
    }

    public FrameType type() {
        if (type == null) {
            throw Invariant.broken("FRAME-1 a frame is checked before it is looked at");
        }
        return type;
    }

    public int bodyAt() {
        return bodyAt;
    }

    public int bodyLength() {
        return bodyLength;
    }
}
