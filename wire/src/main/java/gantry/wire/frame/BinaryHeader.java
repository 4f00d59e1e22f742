package gantry.wire.frame;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/// Parses the binary serialisation of a header.
///
/// ```
///   0      2      3         5               9       13          17        17+r        21+r
///   ┌──────┬──────┬─────────┬───────────────┬───────┬───────────┬─────────┬───────────┬───────────── …
///   │ code │ lang │ version │ correlationId │ flags │ remark: r │ remark  │ fields: n │ n bytes of
///   └──────┴──────┴─────────┴───────────────┴───────┴───────────┴─────────┴───────────┴───────────── …
///   fields: ( name length 2, name, value length 4, value ) again and again; an empty value is none
/// ```
/// For:   headers whose frame is marked `ROCKETMQ`.
/// Owner: none (stateless).
/// Never: throws on any bytes; reads at or beyond `end`.
final class BinaryHeader {
    static final int FIXED_BYTES = 21;

    static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
    static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);

    private static final int REMARK_LENGTH = 13;

    private BinaryHeader() {}

    /// @param bytes the header, from 0 to `end`
    /// @return what is wrong, or null
    static @Nullable String parse(byte[] bytes, int end, ParsedHeader into) {
        if (end < FIXED_BYTES) {
            return "the binary header has " + end + " bytes, fewer than any has";
        }
        into.code = (short) SHORT.get(bytes, 0);
        into.language = Language.of(bytes[2]);
        into.version = (short) SHORT.get(bytes, 3);
        into.correlationId = (int) INT.get(bytes, 5);
        into.flags = (int) INT.get(bytes, 9);
        int remarkLength = (int) INT.get(bytes, REMARK_LENGTH);
        if (remarkLength < 0 || remarkLength > end - FIXED_BYTES) {
            return "the remark claims " + remarkLength + " bytes of a header of " + end;
        }
        into.remarkFrom = REMARK_LENGTH + 4;
        into.remarkLength = remarkLength == 0 ? -1 : remarkLength;
        int fieldsFrom = FIXED_BYTES + remarkLength;
        int fieldsLength = (int) INT.get(bytes, fieldsFrom - 4);
        if (fieldsLength < 0 || fieldsLength > end - fieldsFrom) {
            return "the fields claim " + fieldsLength + " bytes of a header of " + end;
        }
        return parseFields(bytes, fieldsFrom, fieldsFrom + fieldsLength, into);
    }

    private static @Nullable String parseFields(byte[] bytes, int from, int end, ParsedHeader into) {
        int at = from;
        while (at < end) {
            if (end - at < 2) {
                return cut(at);
            }
            int keyLength = (short) SHORT.get(bytes, at);
            int keyFrom = at + 2;
            if (keyLength < 0 || keyLength > end - keyFrom - 4) {
                return cut(at);
            }
            int hash = FieldName.hash(bytes, keyFrom, keyLength);
            int valueLength = (int) INT.get(bytes, keyFrom + keyLength);
            int valueFrom = keyFrom + keyLength + 4;
            if (valueLength < 0 || valueLength > end - valueFrom) {
                return cut(at);
            }
            String fault =
                    into.add(hash, keyFrom, keyLength, valueFrom, valueLength == 0 ? FieldTable.NO_VALUE : valueLength);
            if (fault != null) {
                return fault;
            }
            at = valueFrom + valueLength;
        }
        return null;
    }

    private static String cut(int at) {
        return "the field at byte " + at + " of the header goes on beyond its end";
    }
}
