package gantry.broker.session;

import gantry.wire.frame.FieldName;
import gantry.wire.message.MessageProperties;
import java.util.Arrays;

/// Properties that the broker adds behind the sender's, as bytes.
///
/// For:   adding a few properties without building a map or a string.
/// Owner: its burst; reused for one message after another.
/// Never: checks whether the sender has set the same; the last one counts for every reader.
public final class PropertyTail {
    private byte[] bytes = new byte[256];
    private int size;

    public PropertyTail clear() {
        size = 0;
        return this;
    }

    public PropertyTail add(FieldName name, byte[] value, int from, int length) {
        byte[] ascii = name.ascii();
        room(ascii.length + length + 2);
        System.arraycopy(ascii, 0, bytes, size, ascii.length);
        size += ascii.length;
        bytes[size++] = MessageProperties.NAME_END;
        System.arraycopy(value, from, bytes, size, length);
        size += length;
        bytes[size++] = MessageProperties.VALUE_END;
        return this;
    }

    public PropertyTail add(FieldName name, String value) {
        byte[] utf8 = value.getBytes(java.nio.charset.StandardCharsets.UTF_8);
        return add(name, utf8, 0, utf8.length);
    }

    /// Whole properties in their stored form.
    public PropertyTail addStored(byte[] stored) {
        room(stored.length);
        System.arraycopy(stored, 0, bytes, size, stored.length);
        size += stored.length;
        return this;
    }

    public byte[] bytes() {
        return bytes;
    }

    public int size() {
        return size;
    }

    private void room(int more) {
        if (size + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, size + more));
        }
    }
}
