package gantry.store;

import gantry.store.Disk.Done;
import java.nio.ByteBuffer;

/// The block seals of one commit-log file, in memory, with what of them is still to be written.
///
/// For:   asking for a seal, and setting seals in runs of one write.
/// Owner: whoever owns the `Seals` it comes from.
final class SealTable {
    private final SealLayout layout;
    private final long base;
    private final ByteBuffer content;
    private boolean exists;
    private int dirtyFrom = Integer.MAX_VALUE;
    private int dirtyTo;

    /// @param exists whether there is a file with this header
    SealTable(SealLayout layout, long base, ByteBuffer content, boolean exists) {
        this.layout = layout;
        this.base = base;
        this.content = content;
        this.exists = exists;
    }

    long base() {
        return base;
    }

    boolean isSealed(int block) {
        return !SealLayout.isEmptyPair(content, block) && layout.isPair(content, base, block);
    }

    /// Whether something stands there that is no seal: torn, or rotten itself.
    boolean isBroken(int block) {
        return !SealLayout.isEmptyPair(content, block) && !layout.isPair(content, base, block);
    }

    /// Only of a block that is sealed.
    int sum(int block) {
        return content.getInt(SealLayout.pairAt(block));
    }

    /// The block behind the last one that is sealed; 0 when none is.
    int sealedEnd() {
        int end = layout.blockCount();
        while (end > 0 && !isSealed(end - 1)) {
            end--;
        }
        return end;
    }

    int sealedCount() {
        int count = 0;
        for (int block = 0; block < layout.blockCount(); block++) {
            count += isSealed(block) ? 1 : 0;
        }
        return count;
    }

    int brokenCount() {
        int count = 0;
        for (int block = 0; block < layout.blockCount(); block++) {
            count += isBroken(block) ? 1 : 0;
        }
        return count;
    }

    void seal(int block, int sum) {
        layout.putPair(content, base, block, sum);
        touch(block, block + 1);
    }

    void open(int block) {
        SealLayout.clearPair(content, block);
        touch(block, block + 1);
    }

    private void touch(int from, int to) {
        dirtyFrom = Math.min(dirtyFrom, from);
        dirtyTo = Math.max(dirtyTo, to);
    }

    /// Writes what was set since the last time; what could not be written is tried again by the next call.
    Done write(Disk disk) {
        if (dirtyFrom >= dirtyTo) {
            return Done.Ok.NOTHING;
        }
        FileId file = SealLayout.fileAt(base);
        if (!exists) {
            // What stands there may be of other sizes, and some of its pairs would be taken for ours.
            Done created = disk.delete(file);
            created = created.isOk() ? disk.create(file, layout.fileBytes()) : created;
            created = created.isOk() ? disk.write(file, 0, content.slice(0, SealLayout.HEADER_BYTES)) : created;
            if (!created.isOk()) {
                return created;
            }
            exists = true;
        }
        int from = SealLayout.pairAt(dirtyFrom);
        Done done = disk.write(file, from, content.slice(from, SealLayout.pairAt(dirtyTo) - from));
        if (done.isOk()) {
            dirtyFrom = Integer.MAX_VALUE;
            dirtyTo = 0;
        }
        return done;
    }
}
