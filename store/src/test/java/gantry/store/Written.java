package gantry.store;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/// Looks for what the files of a store tell of a part of its log.
///
/// For:   tests that nothing derived from the log runs ahead of what is settled.
/// Owner: none (stateless).
final class Written {
    private Written() {}

    /// What a file other than the log says of a record at or above `logOffset`: queue files, key index,
    /// checkpoint, seals.
    static List<String> above(FaultDisk disk, long logOffset) throws DiskFailed {
        List<String> found = new ArrayList<>();
        for (String name : disk.files()) {
            if (name.startsWith("consumequeue/")) {
                ByteBuffer entries = ByteBuffer.wrap(disk.bytes(name));
                for (int at = 0; at + EntryChunk.ENTRY_BYTES <= entries.capacity(); at += EntryChunk.ENTRY_BYTES) {
                    if (entries.getLong(at) >= logOffset && entries.getInt(at + EntryChunk.SIZE_AT) > 0) {
                        found.add(name + ": an entry of " + entries.getLong(at));
                    }
                }
            } else if (name.startsWith("index/")) {
                ByteBuffer file = ByteBuffer.wrap(disk.bytes(name));
                long slots = Rig.TINY.index().slots();
                for (int at = (int) (40 + slots * 4); at + 20 <= file.capacity(); at += 20) {
                    if (file.getLong(at + 4) >= logOffset && file.getInt(at) != 0) {
                        found.add(name + ": a key of " + file.getLong(at + 4));
                    }
                }
            }
        }
        Checkpoint checkpoint = Checkpoint.load(disk, (_, _) -> {});
        Checkpoint.Mark mark = checkpoint.mark();
        if (mark != null && mark.logOffset() > logOffset) {
            found.add("checkpoint: " + mark);
        }
        IndexMark index = checkpoint.index();
        if (index != null && index.logOffset() > logOffset) {
            found.add("checkpoint: " + index);
        }
        for (long segmentBytes : new long[] {4096, 1 << 20}) {
            long sealed = new Seals(disk, segmentBytes).sealedEnd(0);
            if (sealed > logOffset) {
                found.add("seals up to " + sealed);
            }
        }
        return found;
    }
}
