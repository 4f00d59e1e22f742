package gantry.net;

import gantry.base.Link;
import java.nio.ByteBuffer;
import java.util.Arrays;

/// Frames with a number and a recognisable filling.
final class Frames {
    private Frames() {}

    /// A frame of `length` bytes in all, at least 12: length field, header word, number, filling.
    static byte[] frame(int number, int length) {
        byte[] frame = new byte[length];
        ByteBuffer.wrap(frame).putInt(length - 4).putInt(length - 8).putInt(number);
        Arrays.fill(frame, 12, length, (byte) number);
        return frame;
    }

    static int number(ByteBuffer bytes, int offset) {
        return bytes.getInt(offset + 8);
    }

    /// Whether the bytes are what `frame` made.
    static boolean isWhole(ByteBuffer bytes, int offset, int length) {
        int number = number(bytes, offset);
        byte[] expected = frame(number, length);
        return bytes.slice(offset, length).equals(ByteBuffer.wrap(expected));
    }

    static boolean send(Link link, byte[] frame) {
        return link.send(frame, 0, frame.length);
    }
}
