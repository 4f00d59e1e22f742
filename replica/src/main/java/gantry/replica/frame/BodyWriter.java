package gantry.replica.frame;

import gantry.replica.epoch.Epoch;
import gantry.replica.epoch.EpochTable;
import gantry.replica.epoch.LogId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// Writes what `BodyReader` reads.
///
/// For:   the parts that several bodies share.
/// Owner: none (stateless).
final class BodyWriter {
    static final int EPOCH_BYTES = 24;

    private BodyWriter() {}

    static void name(ByteBuffer to, String name) {
        byte[] bytes = name.getBytes(StandardCharsets.US_ASCII);
        to.put((byte) bytes.length).put(bytes);
    }

    static void logId(ByteBuffer to, LogId id) {
        to.putLong(id.high()).putLong(id.low());
    }

    static int epochsBytes(EpochTable table) {
        return 2 + EPOCH_BYTES * table.epochs().size();
    }

    static void epochs(ByteBuffer to, EpochTable table) {
        to.putShort((short) table.epochs().size());
        for (Epoch each : table.epochs()) {
            to.putLong(each.number()).putLong(each.start()).putLong(each.mark());
        }
    }
}
