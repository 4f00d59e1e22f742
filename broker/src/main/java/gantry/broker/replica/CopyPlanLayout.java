package gantry.broker.replica;

import gantry.replica.copy.CopyPlan;
import gantry.replica.copy.Snapshot;
import gantry.replica.epoch.Epoch;
import gantry.replica.epoch.EpochTable;
import gantry.replica.epoch.LogId;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A copy's plan as it lies on disk with the copy; whoever keeps it checks that no byte has changed.
///
/// ```
///   0         16      24    32           40               48       49       51
///   │ log id  │ begin │ end │ snapshot id│ snapshot offset│ keepOld│ epochs │ each: number 8, start 8, mark 8
///   │ parts 2 │ each: size 8, name 2+n
/// ```
/// For:   going on with a copy in the next process.
/// Owner: none (stateless).
final class CopyPlanLayout {
    private static final int HEAD_BYTES = 51;
    private static final int EPOCH_BYTES = 24;
    private static final int PART_BYTES = 10;

    private CopyPlanLayout() {}

    static byte[] encode(CopyPlan plan) {
        List<Epoch> epochs = plan.epochs().epochs();
        Snapshot snapshot = plan.snapshot();
        int names = snapshot.parts().stream()
                .mapToInt(part -> PART_BYTES + part.name().length())
                .sum();
        ByteBuffer out = ByteBuffer.allocate(HEAD_BYTES + epochs.size() * EPOCH_BYTES + Short.BYTES + names);
        out.putLong(plan.logId().high()).putLong(plan.logId().low());
        out.putLong(plan.begin()).putLong(plan.end());
        out.putLong(snapshot.id()).putLong(snapshot.offset());
        out.put((byte) (plan.keepOld() ? 1 : 0)).putShort((short) epochs.size());
        for (Epoch epoch : epochs) {
            out.putLong(epoch.number()).putLong(epoch.start()).putLong(epoch.mark());
        }
        out.putShort((short) snapshot.parts().size());
        for (Snapshot.Part part : snapshot.parts()) {
            byte[] name = part.name().getBytes(StandardCharsets.US_ASCII);
            out.putLong(part.size()).putShort((short) name.length).put(name);
        }
        return out.array();
    }

    /// @return null when the bytes are no plan
    static @Nullable CopyPlan decode(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        try {
            LogId logId = new LogId(in.getLong(), in.getLong());
            long begin = in.getLong();
            long end = in.getLong();
            long id = in.getLong();
            long offset = in.getLong();
            boolean keepOld = in.get() != 0;
            List<Epoch> epochs = new ArrayList<>();
            for (int left = in.getShort(); left > 0; left--) {
                epochs.add(new Epoch(in.getLong(), in.getLong(), in.getLong()));
            }
            List<Snapshot.Part> parts = new ArrayList<>();
            for (int left = in.getShort(); left > 0; left--) {
                long size = in.getLong();
                byte[] name = new byte[in.getShort() & 0xFFFF];
                in.get(name);
                parts.add(new Snapshot.Part(new String(name, StandardCharsets.US_ASCII), size));
            }
            EpochTable table = EpochTable.of(epochs);
            Snapshot snapshot = new Snapshot(id, offset, parts);
            return table != null && snapshot.fault() == null && begin >= 0 && begin <= end
                    ? new CopyPlan(logId, table, begin, end, snapshot, keepOld)
                    : null;
        } catch (BufferUnderflowException | IllegalArgumentException e) {
            return null;
        }
    }
}
