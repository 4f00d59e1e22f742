package gantry.wire.message;

import gantry.wire.frame.FieldName;
import gantry.wire.frame.FieldTable;
import java.io.ByteArrayOutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Finds properties in the bytes of a message: `name 0x01 value 0x02`, again and again; the last 0x02 may be missing.
///
/// For:   reading single properties without building a map.
/// Owner: whoever made it; it stands for the last bytes that it was given, as long as they do not change.
/// Never: throws; parts without 0x01, with an empty name or an empty value do not exist.
public final class MessageProperties {
    public static final byte NAME_END = 1;
    public static final byte VALUE_END = 2;

    /// As many as fit the largest properties that can be stored; what follows is not looked at.
    private static final int MAX_COUNT = MessageLayout.PROPERTIES_MAX_BYTES / 4 + 1;

    /// The first byte is the lowest, so that the first one found is the one at the right.
    private static final VarHandle EIGHT_BYTES =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final long EIGHT_ONES = 0x0101010101010101L;
    private static final long EIGHT_TOPS = EIGHT_ONES << 7;
    private static final long EIGHT_VALUE_ENDS = EIGHT_ONES * VALUE_END;

    private static final byte[] NOTHING = new byte[0];

    private final FieldTable table = new FieldTable();
    private byte[] bytes = NOTHING;
    private int from;
    private int length;
    private byte[] scratch = NOTHING;

    public void wrap(byte[] utf8, int from, int length) {
        this.bytes = utf8;
        this.from = from;
        this.length = length;
        table.clear(utf8);
        int end = from + length;
        int at = from;
        while (at < end && table.count() < MAX_COUNT) {
            at = addNext(utf8, at, end);
        }
    }

    /// The same for bytes that are copied first, from the absolute index `at`; none when they are not all there.
    public void wrap(ByteBuffer utf8, int at, int length) {
        if (at < 0 || length < 0 || length > utf8.limit() - at) {
            wrap(NOTHING, 0, 0);
            return;
        }
        if (scratch.length < length) {
            scratch = new byte[Math.max(256, Integer.highestOneBit(length) * 2)];
        }
        utf8.get(at, scratch, 0, length);
        wrap(scratch, 0, length);
    }

    /// Adds the property at `at`, if it is one, and returns where the next starts.
    private int addNext(byte[] utf8, int at, int end) {
        int hash = 0;
        int nameEnd = at;
        int each = 0;
        while (nameEnd < end && (each = utf8[nameEnd]) != NAME_END && each != VALUE_END) {
            hash = 31 * hash + (each & 0xFF);
            nameEnd++;
        }
        if (nameEnd == end || each == VALUE_END) {
            return nameEnd + 1;
        }
        int valueFrom = nameEnd + 1;
        int valueEnd = valueEnd(utf8, valueFrom, end);
        if (nameEnd > at && valueEnd > valueFrom) {
            table.add(hash, at, nameEnd - at, valueFrom, valueEnd - valueFrom);
        }
        return valueEnd + 1;
    }

    /// The index of the first 0x02 from `from` on, or `to`. Eight bytes at a time: most of what stands in a message's
    /// properties is passed over here.
    public static int valueEnd(byte[] utf8, int from, int to) {
        int at = from;
        while (at + Long.BYTES <= to) {
            long differs = (long) EIGHT_BYTES.get(utf8, at) ^ EIGHT_VALUE_ENDS;
            long same = (differs - EIGHT_ONES) & ~differs & EIGHT_TOPS;
            if (same != 0) {
                return at + Long.numberOfTrailingZeros(same) / Byte.SIZE;
            }
            at += Long.BYTES;
        }
        while (at < to && utf8[at] != VALUE_END) {
            at++;
        }
        return at;
    }

    /// Whether a byte of it is 0, which no text needs and a torn record is told by.
    public static boolean hasZero(byte[] utf8, int from, int length) {
        int end = from + length;
        int at = from;
        for (; at + Long.BYTES <= end; at += Long.BYTES) {
            if (hasZero((long) EIGHT_BYTES.get(utf8, at))) {
                return true;
            }
        }
        while (at < end && utf8[at] != 0) {
            at++;
        }
        return at < end;
    }

    /// The same for bytes from the absolute index `at`.
    public static boolean hasZero(ByteBuffer utf8, int at, int length) {
        int end = at + length;
        int each = at;
        for (; each + Long.BYTES <= end; each += Long.BYTES) {
            if (hasZero(utf8.getLong(each))) {
                return true;
            }
        }
        while (each < end && utf8.get(each) != 0) {
            each++;
        }
        return each < end;
    }

    private static boolean hasZero(long eight) {
        return ((eight - EIGHT_ONES) & ~eight & EIGHT_TOPS) != 0;
    }

    public int count() {
        return table.count();
    }

    /// The property's index, -1 when there is none; of several with one name the last counts.
    public int find(FieldName name) {
        return table.find(name);
    }

    public boolean has(FieldName name) {
        return table.find(name) >= 0;
    }

    public @Nullable String text(FieldName name) {
        int index = table.find(name);
        return index < 0 ? null : table.value(index);
    }

    /// The array with the properties, from `from` on, `length` bytes.
    public byte[] bytes() {
        return bytes;
    }

    public int from() {
        return from;
    }

    public int length() {
        return length;
    }

    public int valueStart(int index) {
        return table.valueFrom(index);
    }

    public int valueLength(int index) {
        return table.valueLength(index);
    }

    /// Whether the property is there and its value is `text`, which is plain ASCII in lower case, in any case.
    public boolean isValue(FieldName name, String text) {
        int index = table.find(name);
        return index >= 0 && table.isValue(index, text);
    }

    /// The code of the tag, `TagsCode.NONE` without one.
    public long tagsCode() {
        int index = table.find(PropertyNames.TAGS);
        return index < 0 ? TagsCode.NONE : TagsCode.of(bytes, table.valueFrom(index), table.valueLength(index));
    }

    /// The stored form without one of them; for cold paths.
    public byte[] without(FieldName name) {
        Map<String, String> all = toMap();
        all.remove(name.text());
        return encode(all);
    }

    /// In their stored order; for cold paths.
    public Map<String, String> toMap() {
        Map<String, String> all = new LinkedHashMap<>();
        for (int i = 0; i < table.count(); i++) {
            all.put(table.key(i), table.value(i));
        }
        return all;
    }

    public static Map<String, String> toMap(String stored) {
        byte[] utf8 = stored.getBytes(StandardCharsets.UTF_8);
        MessageProperties properties = new MessageProperties();
        properties.wrap(utf8, 0, utf8.length);
        return properties.toMap();
    }

    /// The stored form, the last 0x02 included; empty values are left out, as no reader would find them.
    public static byte[] encode(Map<String, String> properties) {
        ByteArrayOutputStream stored = new ByteArrayOutputStream();
        properties.forEach((name, value) -> {
            if (!value.isEmpty()) {
                stored.writeBytes(name.getBytes(StandardCharsets.UTF_8));
                stored.write(NAME_END);
                stored.writeBytes(value.getBytes(StandardCharsets.UTF_8));
                stored.write(VALUE_END);
            }
        });
        return stored.toByteArray();
    }
}
