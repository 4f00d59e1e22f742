package gantry.broker.replica;

import gantry.replica.epoch.Epoch;
import gantry.replica.epoch.EpochTable;
import gantry.replica.epoch.LogId;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/// What a member has to remember about its log beside the log, and the layout of the file that holds it
/// (docs/design/009).
///
/// ```
///   0          8         24      32        40      44                                    44 + 24 n
///   │"GaMember"│ log id  │ seen  │ confirm │ count │ epochs: number 8, start 8, mark 8 … │ CRC32C of all before │
/// ```
/// For:   telling the next process which reigns wrote the log, and which was the newest it followed or led.
/// Owner: none (immutable).
///
/// @param confirm everything below can no longer be taken back; up to a second older than what is known
/// @param seen the newest epoch that was ever followed or led; no older one is followed again
record MemberRecord(LogId logId, long seen, long confirm, EpochTable epochs) {
    static final MemberRecord NEW = new MemberRecord(LogId.NONE, 0, 0, EpochTable.EMPTY);

    private static final long MAGIC = 0x47614d656d626572L;
    private static final int HEAD_BYTES = 44;
    private static final int EPOCH_BYTES = 24;
    private static final int SUM_BYTES = 4;

    /// Of another log nothing is known to be confirmed.
    MemberRecord follows(LogId log, long reign) {
        return new MemberRecord(log, Math.max(seen, reign), log.equals(logId) ? confirm : 0, epochs);
    }

    /// What began at or behind its start was not taken, or is no longer there: a newer epoch, too.
    MemberRecord begins(Epoch epoch) {
        EpochTable before = epochs.cutAt(epoch.start());
        return new MemberRecord(logId, Math.max(seen, epoch.number()), confirm, before.begin(epoch));
    }

    MemberRecord confirmed(long upTo) {
        return new MemberRecord(logId, seen, Math.max(confirm, upTo), epochs);
    }

    /// What is still true of a log that reaches from `begin` to `end`: a loss of power may have taken its last bytes.
    MemberRecord within(long begin, long end) {
        return new MemberRecord(
                logId, seen, Math.min(confirm, end), epochs.cutAt(end).dropBelow(begin));
    }

    byte[] toBytes() {
        List<Epoch> all = epochs.epochs();
        ByteBuffer out = ByteBuffer.allocate(HEAD_BYTES + all.size() * EPOCH_BYTES + SUM_BYTES);
        out.putLong(MAGIC)
                .putLong(logId.high())
                .putLong(logId.low())
                .putLong(seen)
                .putLong(confirm)
                .putInt(all.size());
        for (Epoch epoch : all) {
            out.putLong(epoch.number()).putLong(epoch.start()).putLong(epoch.mark());
        }
        out.putInt(sum(out.array(), out.position()));
        return out.array();
    }

    /// @return null when the bytes are no such record
    static @Nullable MemberRecord fromBytes(byte[] bytes) {
        if (bytes.length < HEAD_BYTES + SUM_BYTES) {
            return null;
        }
        ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.BIG_ENDIAN);
        int count = in.getInt(HEAD_BYTES - Integer.BYTES);
        boolean fits = in.getLong(0) == MAGIC
                && count >= 0
                && count <= EpochTable.MAX_EPOCHS
                && bytes.length == HEAD_BYTES + count * EPOCH_BYTES + SUM_BYTES;
        if (!fits || in.getInt(bytes.length - SUM_BYTES) != sum(bytes, bytes.length - SUM_BYTES)) {
            return null;
        }
        List<Epoch> epochs = new ArrayList<>();
        in.position(HEAD_BYTES);
        try {
            for (int i = 0; i < count; i++) {
                epochs.add(new Epoch(in.getLong(), in.getLong(), in.getLong()));
            }
        } catch (IllegalArgumentException e) {
            return null;
        }
        EpochTable table = EpochTable.of(epochs);
        long seen = in.getLong(24);
        long confirm = in.getLong(32);
        return table == null || seen < table.newest() || seen > Epoch.MAX_NUMBER || confirm < 0
                ? null
                : new MemberRecord(new LogId(in.getLong(8), in.getLong(16)), seen, confirm, table);
    }

    private static int sum(byte[] bytes, int length) {
        CRC32C sum = new CRC32C();
        sum.update(bytes, 0, length);
        return (int) sum.getValue();
    }
}
