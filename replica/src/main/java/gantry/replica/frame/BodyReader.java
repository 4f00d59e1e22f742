package gantry.replica.frame;

import gantry.replica.epoch.Epoch;
import gantry.replica.epoch.EpochTable;
import gantry.replica.epoch.LogId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads a body from front to back without ever failing: whatever is wrong is remembered, and nothing read
/// counts then.
///
/// For:   the bodies of rare frames.
/// Owner: one call.
/// Never: throws because of what arrived.
public final class BodyReader {
    private final ByteBuffer frame;
    private final int end;
    private int at;
    private @Nullable String wrong;

    public BodyReader(ByteBuffer frame, FrameReader checked) {
        this(frame, checked.bodyAt(), checked.bodyLength());
    }

    BodyReader(ByteBuffer frame, int at, int length) {
        this.frame = frame;
        this.at = at;
        this.end = at + length;
    }

    /// What was wrong, also when there is more than was read; null when all is well.
    public @Nullable Fault fault() {
        if (wrong == null && at != end) {
            wrong = (end - at) + " bytes are left over";
        }
        return wrong == null ? null : new Fault(Cause.BODY, wrong);
    }

    /// Notes what is wrong; the first counts.
    void reject(String why) {
        if (wrong == null) {
            wrong = why;
        }
    }

    int u8() {
        return take(1) ? frame.get(at - 1) & 0xFF : 0;
    }

    int u16() {
        return take(2) ? frame.getShort(at - 2) & 0xFFFF : 0;
    }

    int int32() {
        return take(4) ? frame.getInt(at - 4) : 0;
    }

    long int64() {
        return take(8) ? frame.getLong(at - 8) : 0;
    }

    byte[] bytes(int count) {
        byte[] taken = new byte[count];
        if (take(count)) {
            frame.get(at - count, taken);
        }
        return taken;
    }

    /// A byte of length and as many bytes of printable ASCII, so that it may stand in a log line.
    String name(int maxBytes) {
        int length = u8();
        if (length > maxBytes) {
            reject("a name of " + length + " bytes, the limit is " + maxBytes);
            return "";
        }
        byte[] bytes = bytes(length);
        for (byte each : bytes) {
            if (each < 0x20 || each > 0x7E) {
                reject("a name with byte " + each);
                return "";
            }
        }
        return new String(bytes, StandardCharsets.US_ASCII);
    }

    LogId logId() {
        return new LogId(int64(), int64());
    }

    EpochTable epochs() {
        int count = u16();
        if (count > EpochTable.MAX_EPOCHS || count * BodyWriter.EPOCH_BYTES > end - at) {
            reject(count + " epochs in " + (end - at) + " bytes, the limit is " + EpochTable.MAX_EPOCHS + " epochs");
            return EpochTable.EMPTY;
        }
        List<Epoch> epochs = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            long number = int64();
            long start = int64();
            long mark = int64();
            if (number < 1 || number > Epoch.MAX_NUMBER || start < 0) {
                reject("epoch " + number + " from " + start);
                return EpochTable.EMPTY;
            }
            epochs.add(new Epoch(number, start, mark));
        }
        EpochTable table = EpochTable.of(epochs);
        if (table == null) {
            reject("" + EpochTable.fault(epochs));
            return EpochTable.EMPTY;
        }
        return table;
    }

    private boolean take(int count) {
        if (wrong != null) {
            return false;
        }
        if (end - at < count) {
            wrong = "it ends " + (count - (end - at)) + " bytes too early";
            return false;
        }
        at += count;
        return true;
    }
}
