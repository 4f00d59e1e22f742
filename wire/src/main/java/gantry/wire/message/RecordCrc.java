package gantry.wire.message;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/// The CRC over a whole record that may stand in its last property.
///
/// ```
///   … other properties │ __CRC32# │ 0x01 │ ten digits, the lowest first │ 0x02 │ end of the record
///   ──── covered ──────┘
/// ```
/// For:   recognising it, and writing it where a broker is told to: first with zeros, then, when the log has numbered
///        the record, with the CRC over everything before it.
/// Owner: none (stateless).
final class RecordCrc {
    static final int PROPERTY_BYTES = 20;

    private static final int DIGITS = 10;

    private RecordCrc() {}

    /// Whether these properties end in one.
    static boolean isProperty(byte[] properties, int from, int length) {
        int at = from + length - PROPERTY_BYTES;
        byte[] name = PropertyNames.RECORD_CRC.ascii();
        if (length < PROPERTY_BYTES
                || properties[from + length - 1] != MessageProperties.VALUE_END
                || !PropertyNames.RECORD_CRC.matches(properties, at, name.length)
                || properties[at + name.length] != MessageProperties.NAME_END) {
            return false;
        }
        for (int i = at + name.length + 1; i < from + length - 1; i++) {
            if (properties[i] < '0' || properties[i] > '9') {
                return false;
            }
        }
        return true;
    }

    /// Leaves room for it.
    static void reserve(ByteBuffer into, int at) {
        byte[] name = PropertyNames.RECORD_CRC.ascii();
        into.put(at, name);
        into.put(at + name.length, MessageProperties.NAME_END);
        for (int i = 1; i <= DIGITS; i++) {
            into.put(at + name.length + i, (byte) '0');
        }
        into.put(at + PROPERTY_BYTES - 1, MessageProperties.VALUE_END);
    }

    /// Fills the room at the end of a record that has some.
    static void fill(ByteBuffer at, int start, int size, CRC32 crc) {
        int room = start + size - PROPERTY_BYTES;
        if (claimed(at, start, start + size) < 0) {
            return;
        }
        int limit = at.limit();
        int position = at.position();
        crc.reset();
        crc.update(at.limit(room).position(start));
        at.limit(limit).position(position);
        long value = crc.getValue() & MessageLayout.CRC_MASK;
        int digitAt = room + PropertyNames.RECORD_CRC.ascii().length + 1;
        for (int i = 0; i < DIGITS; i++) {
            at.put(digitAt + i, (byte) ('0' + value % 10));
            value /= 10;
        }
    }

    /// The CRC that the record ending at `end` claims, -1 when its properties, which start at `propertiesAt`, do not
    /// end in one.
    static long claimed(ByteBuffer bytes, int propertiesAt, int end) {
        int at = end - PROPERTY_BYTES;
        byte[] name = PropertyNames.RECORD_CRC.ascii();
        if (at < propertiesAt
                || bytes.get(end - 1) != MessageProperties.VALUE_END
                || bytes.get(at + name.length) != MessageProperties.NAME_END) {
            return -1;
        }
        for (int i = 0; i < name.length; i++) {
            if (bytes.get(at + i) != name[i]) {
                return -1;
            }
        }
        long value = 0;
        for (int i = DIGITS - 1; i >= 0; i--) {
            int digit = bytes.get(at + name.length + 1 + i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            value = value * 10 + digit;
        }
        return value;
    }
}
